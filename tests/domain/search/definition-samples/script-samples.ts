/**
 * A small text in each language of scripts and functional languages. The mark ▸ precedes what a line defines; more marks mean a greater
 * depth.
 */
export const SCRIPT_SAMPLES: Record<string, string> = {
  bash: `#!/bin/sh
export PATH_TO=/srv ▸ variable PATH_TO
NAME=world ▸ variable NAME
greet() { ▸ function greet
  local other=x
  echo "hello $1"
}
function say_bye { ▸ function say_bye
  echo bye
}
alias ll='ls -l' ▸ function ll
if [ "$NAME" = x ]; then greet; fi`,
  clojure: `(ns app.core (:require [clojure.string :as s])) ▸ type app.core
(def limit 10) ▸ variable limit
(defn- read-line! [x] ▸ function read-line!
  (let [y x] y))
(defn total [xs] (reduce + xs)) ▸ function total
(defmacro unless [a b]) ▸ function unless
(defrecord Point [x y]) ▸ class Point`,
  elixir: `defmodule Shop.Cart do ▸ class Shop.Cart
  @type item :: map() ▸▸ type item
  def add(cart, item), do: cart ▸▸ function add
  def add(cart, nil), do: cart
  defp total?(x) do ▸▸ function total?
    x
  end
  defmacro log(m) do ▸▸ function log
  end
end`,
  erlang: `-module(cart). ▸ class cart
-export([add/2]).
-define(LIMIT, 10). ▸ variable LIMIT
-record(item, {id}). ▸ class item
add([], X) -> [X]; ▸ function add
add(L, X) ->
    io:format("x"),
    [X | L].`,
  fsharp: `module Shop.Cart ▸ type Shop.Cart
open System
type Item = { Id: int } ▸ class Item
let limit = 10 ▸ variable limit
let rec total xs = ▸ function total
    let inner = 1
    xs
type Store() = ▸ class Store
    member this.Save x = x ▸▸ function Save
    static member Load () = 1 ▸▸ function Load`,
  haskell: `module Shop.Cart (total) where ▸ type Shop.Cart
import Data.List
data Item = Item { itemId :: Int } ▸ type Item
newtype Price = Price Int ▸ type Price
class (Eq a) => Store a where ▸ class Store
  save :: a -> IO () ▸▸ function save
total :: [Int] -> Int ▸ function total
total [] = 0
total (x:xs) = x + total xs`,
  julia: `module Shop ▸ type Shop
const LIMIT = 10 ▸ variable LIMIT
struct Item ▸ class Item
  id::Int
end
mutable struct Cart ▸ class Cart
end
function total!(xs) ▸ function total!
  sum(xs)
end
area(r) = 3 * r ▸ function area
macro log(x) ▸ function log
end
end`,
  lua: `local M = {} ▸ variable M
local function helper(x) ▸ function helper
  local y = 1
end
function M.run(a) ▸ function M.run
end
function M:stop() ▸ function M:stop
end
M.later = function(x) end ▸ function M.later
return M`,
  ocaml: `open List
type item = { id : int } ▸ type item
type 'a tree = Leaf ▸ type tree
module Store = struct ▸ class Store
  let rec save x = x ▸▸ function save
end
let limit = 10 ▸ variable limit
let rec total xs = ▸ function total
  let inner = 1 in
  inner
exception Empty ▸ type Empty`,
  perl: `package Shop::Cart; ▸ class Shop::Cart
use strict;
use constant LIMIT => 10; ▸ variable LIMIT
our $VERSION = '1'; ▸ variable VERSION
sub new { ▸ function new
  my $self = shift;
}
sub total { 1 } ▸ function total`,
  powershell: `param([string]$Name)
$Limit = 10 ▸ variable Limit
function Get-Item2 { ▸ function Get-Item2
    $local = 1
    if ($local) { }
}
Function script:Save-It($x) { } ▸ function Save-It
class Cart { } ▸ class Cart
enum Color { Red } ▸ type Color`,
  python: `import os
LIMIT: int = 10 ▸ variable LIMIT
name = "x" ▸ variable name

@dataclass
class Cart(Base): ▸ class Cart
    size = 1

    def __init__(self, items): ▸▸ function __init__
        self.items = items

    async def save(self): ▸▸ function save
        def inner(): ▸▸▸ function inner
            pass

async def main() -> None: ▸ function main
    if name == "x":
        run(main)

if __name__ == "__main__":
    main()`,
  r: `library(dplyr)
limit <- 10 ▸ variable limit
total <- function(xs) { ▸ function total
  inner <- 1
  sum(xs)
}
read.all = function(x) x ▸ function read.all
setClass("Cart", representation(id = "numeric")) ▸ class Cart
if (limit == 1) total(1)`,
  ruby: `require "json"
module Shop ▸ class Shop
  class Cart < Base ▸▸ class Cart
    LIMIT = 10 ▸▸▸ variable LIMIT
    attr_reader :items ▸▸▸ variable items
    def initialize(items) ▸▸▸ function initialize
      @items = items
    end
    def self.build ▸▸▸ function build
    end
    def empty? ▸▸▸ function empty?
      items.each do |x|
      end
    end
    private def reset! = nil ▸▸▸ function reset!
  end
end
task :clean do ▸ target clean
end`,
};
