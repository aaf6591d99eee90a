#!/usr/bin/env bash
# Keeps dated copies of a folder, and only as many as asked for.
# Usage: backup.sh <folder> <where to> [how many to keep]
set -euo pipefail

source_dir=${1:?which folder?}
target_dir=${2:?where to?}
keep=${3:-7}

mkdir -p "$target_dir"
name="$(basename "$source_dir")-$(date +%Y-%m-%d_%H%M%S).tar.gz"
tar -czf "$target_dir/.$name" -C "$(dirname "$source_dir")" "$(basename "$source_dir")"
mv "$target_dir/.$name" "$target_dir/$name"
echo "Kept $target_dir/$name"

# The names sort by date: all but the newest few go.
ls -1 "$target_dir" | grep -E '\.tar\.gz$' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
  rm -- "$target_dir/$old"
  echo "Removed $old"
done
