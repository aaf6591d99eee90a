import type { DefinitionSample } from "#tests/domain/search/definition-samples/sample.ts";

export const SCRIPT_SAMPLES: Record<string, DefinitionSample> = {
  bash: {
    text: `#!/bin/sh
export PATH_TO=/srv
NAME=world
greet() {
  local other=x
  echo "hello $1"
}
function say_bye {
  echo bye
}
alias ll='ls -l'
if [ "$NAME" = x ]; then greet; fi
`,
    found: `
2 variable PATH_TO
3 variable NAME
4 function greet
8 function say_bye
11 function ll
`,
  },
  clojure: {
    text: `(ns app.core (:require [clojure.string :as s]))
(def limit 10)
(defn- read-line! [x]
  (let [y x] y))
(defn total [xs] (reduce + xs))
(defmacro unless [a b])
(defrecord Point [x y])
`,
    found: `
1 type app.core
2 variable limit
3 function read-line!
5 function total
6 function unless
7 class Point
`,
  },
  elixir: {
    text: `defmodule Shop.Cart do
  @type item :: map()
  def add(cart, item), do: cart
  def add(cart, nil), do: cart
  defp total?(x) do
    x
  end
  defmacro log(m) do
  end
end
`,
    found: `
1 class Shop.Cart
  2 type item
  3 function add
  5 function total?
  8 function log
`,
  },
  erlang: {
    text: `-module(cart).
-export([add/2]).
-define(LIMIT, 10).
-record(item, {id}).
add([], X) -> [X];
add(L, X) ->
    io:format("x"),
    [X | L].
`,
    found: `
1 class cart
3 variable LIMIT
4 class item
5 function add
`,
  },
  fsharp: {
    text: `module Shop.Cart
open System
type Item = { Id: int }
let limit = 10
let rec total xs =
    let inner = 1
    xs
type Store() =
    member this.Save x = x
    static member Load () = 1
`,
    found: `
1 type Shop.Cart
3 class Item
4 variable limit
5 function total
8 class Store
  9 function Save
  10 function Load
`,
  },
  haskell: {
    text: `module Shop.Cart (total) where
import Data.List
data Item = Item { itemId :: Int }
newtype Price = Price Int
class (Eq a) => Store a where
  save :: a -> IO ()
total :: [Int] -> Int
total [] = 0
total (x:xs) = x + total xs
`,
    found: `
1 type Shop.Cart
3 type Item
4 type Price
5 class Store
  6 function save
7 function total
`,
  },
  julia: {
    text: `module Shop
const LIMIT = 10
struct Item
  id::Int
end
mutable struct Cart
end
function total!(xs)
  sum(xs)
end
area(r) = 3 * r
macro log(x)
end
end
`,
    found: `
1 type Shop
2 variable LIMIT
3 class Item
6 class Cart
8 function total!
11 function area
12 function log
`,
  },
  lua: {
    text: `local M = {}
local function helper(x)
  local y = 1
end
function M.run(a)
end
function M:stop()
end
M.later = function(x) end
return M
`,
    found: `
1 variable M
2 function helper
5 function M.run
7 function M:stop
9 function M.later
`,
  },
  ocaml: {
    text: `open List
type item = { id : int }
type 'a tree = Leaf
module Store = struct
  let rec save x = x
end
let limit = 10
let rec total xs =
  let inner = 1 in
  inner
exception Empty
`,
    found: `
2 type item
3 type tree
4 class Store
  5 function save
7 variable limit
8 function total
11 type Empty
`,
  },
  perl: {
    text: `package Shop::Cart;
use strict;
use constant LIMIT => 10;
our $VERSION = '1';
sub new {
  my $self = shift;
}
sub total { 1 }
`,
    found: `
1 class Shop::Cart
3 variable LIMIT
4 variable VERSION
5 function new
8 function total
`,
  },
  powershell: {
    text: `param([string]$Name)
$Limit = 10
function Get-Item2 {
    $local = 1
    if ($local) { }
}
Function script:Save-It($x) { }
class Cart { }
enum Color { Red }
`,
    found: `
2 variable Limit
3 function Get-Item2
7 function Save-It
8 class Cart
9 type Color
`,
  },
  python: {
    text: `import os
LIMIT: int = 10
name = "x"

@dataclass
class Cart(Base):
    size = 1

    def __init__(self, items):
        self.items = items

    async def save(self):
        def inner():
            pass

async def main() -> None:
    if name == "x":
        run(main)

if __name__ == "__main__":
    main()
`,
    found: `
2 variable LIMIT
3 variable name
6 class Cart
  9 function __init__
  12 function save
    13 function inner
16 function main
`,
  },
  r: {
    text: `library(dplyr)
limit <- 10
total <- function(xs) {
  inner <- 1
  sum(xs)
}
read.all = function(x) x
setClass("Cart", representation(id = "numeric"))
if (limit == 1) total(1)
`,
    found: `
2 variable limit
3 function total
7 function read.all
8 class Cart
`,
  },
  ruby: {
    text: `require "json"
module Shop
  class Cart < Base
    LIMIT = 10
    attr_reader :items
    def initialize(items)
      @items = items
    end
    def self.build
    end
    def empty?
      items.each do |x|
      end
    end
    private def reset! = nil
  end
end
task :clean do
end
`,
    found: `
2 class Shop
  3 class Cart
    4 variable LIMIT
    5 variable items
    6 function initialize
    9 function build
    11 function empty?
    15 function reset!
18 target clean
`,
  },
};
