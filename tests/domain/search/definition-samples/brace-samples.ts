import type { DefinitionSample } from "#tests/domain/search/definition-samples/sample.ts";

export const BRACE_SAMPLES: Record<string, DefinitionSample> = {
  c: {
    text: `#include <stdio.h>
#define MAX_SIZE 10
typedef unsigned long size;
struct point {
  int x;
};
typedef struct {
  int a;
} pair_t;
enum color { RED };
int add(int a, int b);
static char *name_of(struct point *p)
{
  if (p) {
    printf("x");
    return find(p);
  }
  else return 0;
}
`,
    found: `
2 variable MAX_SIZE
3 type size
4 class point
9 type pair_t
10 type color
11 function add
12 function name_of
`,
  },
  cpp: {
    text: `#pragma once
namespace shapes {
template <typename T>
class Circle : public Shape {
 public:
  explicit Circle(double r) : r_(r) {}
  virtual double area() const override {
    return compute(r_);
  }
  static std::vector<int> list(int n) {
    for (int i = 0; i < n; i++) {
    }
  }
};
enum class Kind { A, B };
using Name = std::string;
double Circle::radius() const {
  return r_;
}
Circle::~Circle() {
}
}
`,
    found: `
2 type shapes
4 class Circle
  6 function Circle
  7 function area
  10 function list
15 type Kind
16 type Name
17 function radius
20 function ~Circle
`,
  },
  csharp: {
    text: `using System;
namespace Shop.Orders
{
    public class Order : Base
    {
        private readonly int _count = 0;
        public string Name { get; set; }
        public Order(int id)
        {
            Id = id;
        }
        public async Task<List<Item>> LoadAsync(int id)
        {
            await Fetch(id);
            return Find(id);
        }
    }
    public interface IStore
    {
        void Save(Order order);
    }
    internal enum State { Open }
    public record Line(int Id);
}
`,
    found: `
2 type Shop.Orders
  4 class Order
    6 variable _count
    7 variable Name
    8 function Order
    12 function LoadAsync
  18 type IStore
    20 function Save
  22 type State
  23 class Line
`,
  },
  dart: {
    text: `import 'dart:io';
typedef Handler = void Function(int);
const limit = 10;
class Counter extends Widget {
  final int start;
  const Counter({required this.start});
  @override
  State<Counter> createState() => _State();
  int get total => start;
  void add(int n) {
    setState(() {
      print(n);
    });
  }
}
enum Color { red }
void main() {
  runApp(Counter());
}
`,
    found: `
2 type Handler
3 variable limit
4 class Counter
  6 function Counter
  8 function createState
  9 function total
  10 function add
16 type Color
17 function main
`,
  },
  go: {
    text: `package main

import "fmt"

const Limit = 10

type Store struct {
	name string
}

type Saver interface {
	Save() error
}

func (s *Store) Save(x int) error {
	if x > 1 {
		return nil
	}
	return s.fail(x)
}

func Map[T any](xs []T) []T {
	return xs
}

func main() {
	fmt.Println("x")
}
`,
    found: `
5 variable Limit
7 class Store
11 type Saver
15 function Save
22 function Map
26 function main
`,
  },
  groovy: {
    text: `plugins { id 'java' }
def version = '1'
class Greeter {
  String name
  def greet(String who) {
    println(who)
  }
}
task hello(type: Copy) {
  from 'a'
}
int add(int a, int b) {
  return a + b
}
`,
    found: `
2 variable version
3 class Greeter
  5 function greet
9 target hello
12 function add
`,
  },
  java: {
    text: `package shop;
import java.util.List;
@Entity
public class Order extends Base {
    private static final int LIMIT = 10;
    private List<Item> items;
    public Order(int id) {
        this.id = id;
    }
    @Override public String toString() {
        return format(id);
    }
    static <T> List<T> copy(List<T> xs) throws IOException {
        if (xs == null) {
            throw new IllegalStateException("x");
        }
        return new ArrayList<>(xs);
    }
    int size() { return items.size(); }
    enum State { OPEN }
    interface Store {
        void save(Order order);
    }
}
record Line(int id) {}
`,
    found: `
4 class Order
  5 variable LIMIT
  6 variable items
  7 function Order
  10 function toString
  13 function copy
  19 function size
  20 type State
  21 type Store
    22 function save
25 class Line
`,
  },
  javascript: {
    text: `import fs from "fs";
export const LIMIT = 10;
const add = (a, b) => a + b;
export const load = async (url) => {
  const inner = 1;
  return fetch(url);
};
let later = async function () {};
function* walk(tree) {
  if (tree) {
    yield tree;
  }
}
export default class Cart extends Base {
  #items = [];
  static of(items) {
    return new Cart(items);
  }
  async save(file, done = () => {}) {
    for (const x of this.#items) {
    }
  }
  get total() {
    return 1;
  }
  #hide() {
  }
  onClick = (event) => {
  };
}
describe("cart", () => {
  it("adds", function () {
  });
});
export default function App({ a }) {
  return null;
}
`,
    found: `
2 variable LIMIT
3 function add
4 function load
8 function later
9 function walk
14 class Cart
  16 function of
  19 function save
  23 function total
  26 function #hide
  28 function onClick
35 function App
`,
  },
  kotlin: {
    text: `package shop
const val LIMIT = 10
data class Item(val id: Int)
sealed interface Result
object Store {
    private val items = listOf<Item>()
    suspend fun save(item: Item) {
        val local = 1
        if (local > 0) {
        }
    }
    companion object {
        @JvmStatic fun create() = Store
    }
}
fun <T> List<T>.second(): T = this[1]
typealias Handler = (Int) -> Unit
`,
    found: `
2 variable LIMIT
3 class Item
4 type Result
5 class Store
  6 variable items
  7 function save
  12 class object
    13 function create
16 function second
17 type Handler
`,
  },
  objectivec: {
    text: `#import <Foundation/Foundation.h>
@interface Cart : NSObject
- (void)addItem:(Item *)item;
+ (instancetype)cart;
@end
@implementation Cart
- (void)addItem:(Item *)item {
  [self log:item];
}
@end
int main(int argc, char *argv[]) {
  return 0;
}
`,
    found: `
2 class Cart
3 function addItem
4 function cart
6 class Cart
7 function addItem
11 function main
`,
  },
  php: {
    text: `<?php
namespace Shop\\Orders;
define('LIMIT', 10);
final class Order extends Base
{
    const OPEN = 1;
    private int $id;
    public function __construct(int $id)
    {
        $this->id = $id;
    }
    public static function find($id): ?self {
        if ($id) {
        }
    }
}
interface Store {}
function helper(&$x) {
    return array_map(function ($y) { return $y; }, $x);
}
`,
    found: `
2 type Shop\\Orders
3 variable LIMIT
4 class Order
  6 variable OPEN
  8 function __construct
  12 function find
17 type Store
18 function helper
`,
  },
  rust: {
    text: `use std::fmt;
pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;
#[derive(Debug)]
pub struct Cart<T> {
    items: Vec<T>,
}
pub(crate) enum State { Open }
pub trait Store {
    fn save(&self) -> bool;
}
impl<T> Cart<T> {
    pub async fn load(id: u32) -> Self {
        let x = match id { _ => 1 };
        if x > 0 {
        }
    }
}
impl fmt::Display for State {
    const fn width() -> u8 { 1 }
}
macro_rules! shout { () => {} }
mod tests {
}
`,
    found: `
2 variable LIMIT
3 variable COUNT
5 class Cart
8 type State
9 type Store
  10 function save
12 class Cart
  13 function load
19 class State
  20 function width
22 function shout
23 type tests
`,
  },
  scala: {
    text: `package shop
object Main extends App {
  private val limit = 10
  def total(xs: List[Int]): Int = xs.sum
}
case class Item(id: Int)
sealed trait State
type Handler = Int => Unit
val top = 1
`,
    found: `
2 class Main
  3 variable limit
  4 function total
6 class Item
7 class State
8 type Handler
9 variable top
`,
  },
  swift: {
    text: `import Foundation
let limit = 10
public final class Cart: Base {
    private var items: [Item] = []
    init(id: Int) {
    }
    @objc static func build() -> Cart {
        guard let x = y else { return z() }
    }
    class func shared() {}
}
struct Item {}
enum State { case open }
protocol Store { func save() }
extension Cart { }
func main() { }
`,
    found: `
2 variable limit
3 class Cart
  4 variable items
  5 function init
  7 function build
  10 function shared
12 class Item
13 type State
14 type Store
15 class Cart
16 function main
`,
  },
  typescript: {
    text: `import type { A } from "./a.ts";
export interface Cart<T> {
  items: T[];
}
export type Handler = (x: number) => void;
type Pair<T> = [T, T];
export const enum Color { Red }
declare namespace shop {
}
export abstract class Store<T> extends Base<T> {
  private readonly items: T[] = [];
  constructor(private name: string) {
    super();
  }
  public static async open<T>(name: string, done: (x: T) => void): Promise<{ ok: true }> {
    while (true) {
    }
  }
  protected abstract close(): void;
}
class Basket {
  add(item: Item): void { this.items.push(item); }
  *each<T>(done = () => {}): Iterator<T> { yield* this.items; }
  private clear() { this.items = []; }
  run() {
    if (this.items) { add(this); }
    for (const x of y) { print(x); }
    add(this.items, { a: 1 });
    return <p>Sum (all) {total}</p>;
        Sum (all) {total}
  }
}
export const reduce: Reducer = (state, action) => state;
const Wide = (
  a: string,
) => a;
export async function main(): Promise<void> {
  items.forEach((x) => {
  });
  return run(async () => {
  });
}
export default async function () {}
`,
    found: `
2 type Cart
5 type Handler
6 type Pair
7 type Color
8 type shop
10 class Store
  11 variable items
  12 function constructor
  15 function open
  19 function close
21 class Basket
  22 function add
  23 function each
  24 function clear
  25 function run
33 function reduce
34 function Wide
37 function main
43 variable default
`,
  },
};
