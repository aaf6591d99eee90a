export const reading = {
  title: "Code display",
  hint: "Theme and code display apply to this browser only.",
  wrapLines: "Wrap long lines",
  scrollLines: "Do not wrap lines",
  names: {
    code_wrap: "Long lines",
    code_size: "Code size",
    tab_width: "Tab width",
    code_light: "Code colours, light",
    code_dark: "Code colours, dark",
  },
  values: {
    code_wrap: { auto: "Automatic", off: "Scroll", on: "Wrap" },
    code_size: { small: "Small", normal: "Normal", large: "Large", larger: "Larger" },
    tab_width: { "2": "2", "4": "4", "8": "8" },
    code_light: { standard: "Standard", blue: "Blue", green: "Green" },
    code_dark: { standard: "Standard", blue: "Blue", orange: "Orange" },
  },
};
