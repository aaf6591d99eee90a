/**
 * A small text in C, Java, JavaScript and each related language. The mark ▸ precedes what a line defines; more marks mean a greater
 * depth.
 */
export const BRACE_SAMPLES: Record<string, string> = {
  c: `#include <stdio.h>
#define MAX_SIZE 10 ▸ variable MAX_SIZE
typedef unsigned long size; ▸ type size
struct point { ▸ class point
  int x;
};
typedef struct {
  int a;
} pair_t; ▸ type pair_t
enum color { RED }; ▸ type color
int add(int a, int b); ▸ function add
static char *name_of(struct point *p) ▸ function name_of
{
  if (p) {
    printf("x");
    return find(p);
  }
  else return 0;
}`,
  cpp: `#pragma once
namespace shapes { ▸ type shapes
template <typename T>
class Circle : public Shape { ▸ class Circle
 public:
  explicit Circle(double r) : r_(r) {} ▸▸ function Circle
  virtual double area() const override { ▸▸ function area
    return compute(r_);
  }
  static std::vector<int> list(int n) { ▸▸ function list
    for (int i = 0; i < n; i++) {
    }
  }
};
enum class Kind { A, B }; ▸ type Kind
using Name = std::string; ▸ type Name
double Circle::radius() const { ▸ function radius
  return r_;
}
Circle::~Circle() { ▸ function ~Circle
}
}`,
  csharp: `using System;
namespace Shop.Orders ▸ type Shop.Orders
{
    public class Order : Base ▸▸ class Order
    {
        private readonly int _count = 0; ▸▸▸ variable _count
        public string Name { get; set; } ▸▸▸ variable Name
        public Order(int id) ▸▸▸ function Order
        {
            Id = id;
        }
        public async Task<List<Item>> LoadAsync(int id) ▸▸▸ function LoadAsync
        {
            await Fetch(id);
            return Find(id);
        }
    }
    public interface IStore ▸▸ type IStore
    {
        void Save(Order order); ▸▸▸ function Save
    }
    internal enum State { Open } ▸▸ type State
    public record Line(int Id); ▸▸ class Line
}`,
  dart: `import 'dart:io';
typedef Handler = void Function(int); ▸ type Handler
const limit = 10; ▸ variable limit
class Counter extends Widget { ▸ class Counter
  final int start;
  const Counter({required this.start}); ▸▸ function Counter
  @override
  State<Counter> createState() => _State(); ▸▸ function createState
  int get total => start; ▸▸ function total
  void add(int n) { ▸▸ function add
    setState(() {
      print(n);
    });
  }
}
enum Color { red } ▸ type Color
void main() { ▸ function main
  runApp(Counter());
}`,
  go: `package main

import "fmt"

const Limit = 10 ▸ variable Limit

type Store struct { ▸ class Store
	name string
}

type Saver interface { ▸ type Saver
	Save() error
}

func (s *Store) Save(x int) error { ▸ function Save
	if x > 1 {
		return nil
	}
	return s.fail(x)
}

func Map[T any](xs []T) []T { ▸ function Map
	return xs
}

func main() { ▸ function main
	fmt.Println("x")
}`,
  groovy: `plugins { id 'java' }
def version = '1' ▸ variable version
class Greeter { ▸ class Greeter
  String name
  def greet(String who) { ▸▸ function greet
    println(who)
  }
}
task hello(type: Copy) { ▸ target hello
  from 'a'
}
int add(int a, int b) { ▸ function add
  return a + b
}`,
  java: `package shop;
import java.util.List;
@Entity
public class Order extends Base { ▸ class Order
    private static final int LIMIT = 10; ▸▸ variable LIMIT
    private List<Item> items; ▸▸ variable items
    public Order(int id) { ▸▸ function Order
        this.id = id;
    }
    @Override public String toString() { ▸▸ function toString
        return format(id);
    }
    static <T> List<T> copy(List<T> xs) throws IOException { ▸▸ function copy
        if (xs == null) {
            throw new IllegalStateException("x");
        }
        return new ArrayList<>(xs);
    }
    int size() { return items.size(); } ▸▸ function size
    enum State { OPEN } ▸▸ type State
    interface Store { ▸▸ type Store
        void save(Order order); ▸▸▸ function save
    }
}
record Line(int id) {} ▸ class Line`,
  javascript: `import fs from "fs";
export const LIMIT = 10; ▸ variable LIMIT
const add = (a, b) => a + b; ▸ function add
export const load = async (url) => { ▸ function load
  const inner = 1;
  return fetch(url);
};
let later = async function () {}; ▸ function later
function* walk(tree) { ▸ function walk
  if (tree) {
    yield tree;
  }
}
export default class Cart extends Base { ▸ class Cart
  #items = [];
  static of(items) { ▸▸ function of
    return new Cart(items);
  }
  async save(file, done = () => {}) { ▸▸ function save
    for (const x of this.#items) {
    }
  }
  get total() { ▸▸ function total
    return 1;
  }
  #hide() { ▸▸ function #hide
  }
  onClick = (event) => { ▸▸ function onClick
  };
}
describe("cart", () => {
  it("adds", function () {
  });
});
export default function App({ a }) { ▸ function App
  return null;
}`,
  kotlin: `package shop
const val LIMIT = 10 ▸ variable LIMIT
data class Item(val id: Int) ▸ class Item
sealed interface Result ▸ type Result
object Store { ▸ class Store
    private val items = listOf<Item>() ▸▸ variable items
    suspend fun save(item: Item) { ▸▸ function save
        val local = 1
        if (local > 0) {
        }
    }
    companion object { ▸▸ class object
        @JvmStatic fun create() = Store ▸▸▸ function create
    }
}
fun <T> List<T>.second(): T = this[1] ▸ function second
typealias Handler = (Int) -> Unit ▸ type Handler`,
  objectivec: `#import <Foundation/Foundation.h>
@interface Cart : NSObject ▸ class Cart
- (void)addItem:(Item *)item; ▸ function addItem
+ (instancetype)cart; ▸ function cart
@end
@implementation Cart ▸ class Cart
- (void)addItem:(Item *)item { ▸ function addItem
  [self log:item];
}
@end
int main(int argc, char *argv[]) { ▸ function main
  return 0;
}`,
  php: `<?php
namespace Shop\\Orders; ▸ type Shop\\Orders
define('LIMIT', 10); ▸ variable LIMIT
final class Order extends Base ▸ class Order
{
    const OPEN = 1; ▸▸ variable OPEN
    private int $id;
    public function __construct(int $id) ▸▸ function __construct
    {
        $this->id = $id;
    }
    public static function find($id): ?self { ▸▸ function find
        if ($id) {
        }
    }
}
interface Store {} ▸ type Store
function helper(&$x) { ▸ function helper
    return array_map(function ($y) { return $y; }, $x);
}`,
  rust: `use std::fmt;
pub const LIMIT: usize = 10; ▸ variable LIMIT
static mut COUNT: u32 = 0; ▸ variable COUNT
#[derive(Debug)]
pub struct Cart<T> { ▸ class Cart
    items: Vec<T>,
}
pub(crate) enum State { Open } ▸ type State
pub trait Store { ▸ type Store
    fn save(&self) -> bool; ▸▸ function save
}
impl<T> Cart<T> { ▸ class Cart
    pub async fn load(id: u32) -> Self { ▸▸ function load
        let x = match id { _ => 1 };
        if x > 0 {
        }
    }
}
impl fmt::Display for State { ▸ class State
    const fn width() -> u8 { 1 } ▸▸ function width
}
macro_rules! shout { () => {} } ▸ function shout
mod tests { ▸ type tests
}`,
  scala: `package shop
object Main extends App { ▸ class Main
  private val limit = 10 ▸▸ variable limit
  def total(xs: List[Int]): Int = xs.sum ▸▸ function total
}
case class Item(id: Int) ▸ class Item
sealed trait State ▸ class State
type Handler = Int => Unit ▸ type Handler
val top = 1 ▸ variable top`,
  swift: `import Foundation
let limit = 10 ▸ variable limit
public final class Cart: Base { ▸ class Cart
    private var items: [Item] = [] ▸▸ variable items
    init(id: Int) { ▸▸ function init
    }
    @objc static func build() -> Cart { ▸▸ function build
        guard let x = y else { return z() }
    }
    class func shared() {} ▸▸ function shared
}
struct Item {} ▸ class Item
enum State { case open } ▸ type State
protocol Store { func save() } ▸ type Store
extension Cart { } ▸ class Cart
func main() { } ▸ function main`,
  typescript: `import type { A } from "./a.ts";
export interface Cart<T> { ▸ type Cart
  items: T[];
}
export type Handler = (x: number) => void; ▸ type Handler
type Pair<T> = [T, T]; ▸ type Pair
export const enum Color { Red } ▸ type Color
declare namespace shop { ▸ type shop
}
export abstract class Store<T> extends Base<T> { ▸ class Store
  private readonly items: T[] = []; ▸▸ variable items
  constructor(private name: string) { ▸▸ function constructor
    super();
  }
  public static async open<T>(name: string, done: (x: T) => void): Promise<{ ok: true }> { ▸▸ function open
    while (true) {
    }
  }
  protected abstract close(): void; ▸▸ function close
}
class Basket { ▸ class Basket
  add(item: Item): void { this.items.push(item); } ▸▸ function add
  *each<T>(done = () => {}): Iterator<T> { yield* this.items; } ▸▸ function each
  private clear() { this.items = []; } ▸▸ function clear
  run() { ▸▸ function run
    if (this.items) { add(this); }
    for (const x of y) { print(x); }
    add(this.items, { a: 1 });
    return <p>Sum (all) {total}</p>;
        Sum (all) {total}
  }
}
export const reduce: Reducer = (state, action) => state; ▸ function reduce
const Wide = ( ▸ function Wide
  a: string,
) => a;
export async function main(): Promise<void> { ▸ function main
  items.forEach((x) => {
  });
  return run(async () => {
  });
}
export default async function () {} ▸ variable default`,
};
