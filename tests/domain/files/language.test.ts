import { describe, expect, it } from "vitest";
import { detectLanguage, LANGUAGE_NAMES, languageLabel } from "#domain/files/language.ts";

describe("the language of a file", () => {
  it.each([
    ["main.py", "", "python"],
    ["MAIN.PY", "", "python"],
    ["a.test.tsx", "", "typescript"],
    ["Dockerfile", "", "dockerfile"],
    ["logo.svg", "", "svg"],
    [".env", "", "ini"],
    ["README", "", "markdown"],
  ])("is told by the name %s", (name, body, language) => {
    expect(detectLanguage(name, body)).toBe(language);
  });

  it.each([
    ["#!/usr/bin/env python3\n", "python"],
    ["#!/usr/bin/env -S node --flag\n", "javascript"],
    ["#!/bin/sh -e\n", "bash"],
    ["#! /usr/bin/perl\n", "perl"],
  ])("is told by the shebang %j", (body, language) => {
    expect(detectLanguage("run", body)).toBe(language);
  });

  it.each([
    ['{"a": [1]}', "json"],
    ["<?xml version='1.0'?>\n<svg xmlns='x'/>", "svg"],
    ["<!DOCTYPE html><p>", "html"],
    ["import os\n\ndef main():\n    pass\n", "python"],
    ["import x from 'y'\n", "javascript"],
    ["package main\n\nfunc main() {}\n", "go"],
    ["SELECT a FROM b ", "sql"],
    ["# Title\n\ntext", "markdown"],
    ["just words", "text"],
    ["", "text"],
  ])("is told by the content %j", (body, language) => {
    expect(detectLanguage("snippet", body)).toBe(language);
  });

  it("is told by the beginning and the end of a text that is too long to read as JSON", () => {
    expect(detectLanguage("long", `[${'{"a": 1}, '.repeat(10_000)}{}]\n`)).toBe("json");
    expect(detectLanguage("long", `{${"block; ".repeat(20_000)}}`)).toBe("text");
    expect(detectLanguage("long", "[".repeat(100_000))).toBe("text");
  });

  it("is told by the name before the content", () => {
    expect(detectLanguage("notes.txt", "#!/bin/sh\n")).toBe("text");
  });

  it("has a name of lower-case letters in every row", () => {
    expect(LANGUAGE_NAMES.filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
  });

  it("is offered in the order of the labels that people read", () => {
    const labels = LANGUAGE_NAMES.map((name) => languageLabel(name).toLowerCase());
    expect(labels).toEqual(labels.toSorted());
  });
});
