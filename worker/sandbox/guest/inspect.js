/** Shows values as Node does, for the console of JavaScript programs. Nothing here calls out of the isolate. */
globalThis.defineInspect = () => {
  const DEPTH_MAX = 4;
  const ITEMS_MAX = 100;
  const WIDTH = 76;
  const TEXT_MAX = 10_000;

  const quote = (text) => {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(mark, `\\${mark}`);
    return mark + escaped + mark;
  };
  const isName = (key) => /^[A-Za-z_$][\w$]*$/.test(key);
  const showKey = (key) => (typeof key === "symbol" ? `[${String(key)}]` : isName(key) ? key : quote(key));

  function showPrimitive(value) {
    if (typeof value === "string") return quote(value.slice(0, TEXT_MAX));
    if (typeof value === "bigint") return `${value}n`;
    return Object.is(value, -0) ? "-0" : String(value);
  }

  function showFunction(value) {
    const isClass = /^class\b/.test(Function.prototype.toString.call(value));
    const kind = isClass ? "class" : value.constructor?.name || "Function";
    if (isClass) return `[class ${value.name || "(anonymous)"}]`;
    return value.name ? `[${kind}: ${value.name}]` : `[${kind} (anonymous)]`;
  }

  const getClassName = (value) => {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) return "[Object: null prototype]";
    return typeof prototype.constructor === "function" ? prototype.constructor.name : "Object";
  };

  function join(parts, open, close, indent) {
    if (parts.length === 0) return `${open}${close}`;
    const line = parts.join(", ");
    const inset = `${indent}  `;
    if (line.length + indent.length <= WIDTH && !line.includes("\n")) {
      const pad = open.endsWith("{") || open.endsWith("[") ? " " : "";
      return `${open}${pad}${line}${pad}${close}`;
    }
    return `${open}\n${parts.map((part) => inset + part).join(",\n")}\n${indent}${close}`;
  }

  const showMore = (count) => (count > ITEMS_MAX ? [`... ${count - ITEMS_MAX} more items`] : []);

  function showProperties(value, show, skip) {
    return Reflect.ownKeys(value)
      .filter((key) => !skip(key) && Object.getOwnPropertyDescriptor(value, key)?.enumerable)
      .slice(0, ITEMS_MAX)
      .map((key) => {
        const { get, set, value: property } = Object.getOwnPropertyDescriptor(value, key);
        const text = get ? (set ? "[Getter/Setter]" : "[Getter]") : set ? "[Setter]" : show(property);
        return `${showKey(key)}: ${text}`;
      });
  }

  const isIndex = (key) => typeof key === "string" && /^\d+$/.test(key);
  const showClassName = (name, usual) => (name === usual ? "" : `${name} `);

  function showList(value, show, indent) {
    const name = getClassName(value);
    const items = Array.from({ length: Math.min(value.length, ITEMS_MAX) }, (_, i) =>
      i in value ? show(value[i]) : "<empty item>",
    );
    const label = Array.isArray(value) ? showClassName(name, "Array") : `${name}(${value.length}) `;
    const properties = showProperties(value, show, isIndex);
    return join([...items, ...showMore(value.length), ...properties], `${label}[`, "]", indent);
  }

  function showCollection(value, show, indent) {
    const entries = [...value].slice(0, ITEMS_MAX);
    const parts = entries.map((entry) =>
      value instanceof Map ? `${show(entry[0])} => ${show(entry[1])}` : show(entry),
    );
    return join([...parts, ...showMore(value.size)], `${getClassName(value)}(${value.size}) {`, "}", indent);
  }

  const SPECIAL = [
    [Error, (value) => String(value.stack || value)],
    [Date, (value) => (Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString())],
    [RegExp, String],
    [Promise, () => "Promise {}"],
    [ArrayBuffer, (value) => `ArrayBuffer { byteLength: ${value.byteLength} }`],
    [Symbol, (value) => `[Symbol: ${String(value.valueOf())}]`],
  ];

  function showObject(value, ancestors, indent) {
    if (ancestors.includes(value)) return "[Circular *1]";
    const special = SPECIAL.find(([kind]) => value instanceof kind);
    if (special) return special[1](value);
    const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
    if (ancestors.length > DEPTH_MAX) return isList ? "[Array]" : `[${getClassName(value)}]`;
    const show = (child) => inspect(child, [...ancestors, value], `${indent}  `);
    if (isList) return showList(value, show, indent);
    if (value instanceof Map || value instanceof Set) return showCollection(value, show, indent);
    const name = showClassName(getClassName(value), "Object");
    return join(
      showProperties(value, show, () => false),
      `${name}{`,
      "}",
      indent,
    );
  }

  function inspect(value, ancestors = [], indent = "") {
    if (typeof value === "function") return showFunction(value);
    if (typeof value !== "object" || value === null) return showPrimitive(value);
    try {
      return showObject(value, ancestors, indent);
    } catch {
      return "[Object that cannot be shown]";
    }
  }

  const FORMATS = {
    s: (value) => (typeof value === "object" && value !== null ? inspect(value) : String(value)),
    d: (value) => String(Number(value)),
    i: (value) => String(Number.parseInt(value, 10)),
    f: (value) => String(Number.parseFloat(value)),
    j: (value) => JSON.stringify(value),
    o: (value) => inspect(value),
    O: (value) => inspect(value),
    c: () => "",
  };

  function formatLine(values) {
    const [first, ...others] = values;
    if (typeof first !== "string") return values.map((value) => formatValue(value)).join(" ");
    const text = first.replace(/%([sdifjoOc%])/g, (placeholder, kind) => {
      if (kind === "%") return "%";
      return others.length > 0 ? FORMATS[kind](others.shift()) : placeholder;
    });
    return [text, ...others.map((value) => formatValue(value))].join(" ");
  }
  const formatValue = (value) => (typeof value === "string" ? value : inspect(value));

  return { inspect, formatLine };
};
