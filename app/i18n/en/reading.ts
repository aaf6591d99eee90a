/** How source text is shown. */
export const reading = {
  title: "Code display",
  names: {
    code_wrap: "Long lines",
    code_size: "Code size",
    tab_width: "Tab width",
    code_light: "Code colours, light",
    code_dark: "Code colours, dark",
  },
  values: {
    code_wrap: { off: "Scroll", on: "Wrap" },
    code_size: { small: "Small", normal: "Normal", large: "Large", larger: "Larger" },
    tab_width: { "2": "2", "4": "4", "8": "8" },
    code_light: { house: "Standard", harbour: "Harbour", orchard: "Orchard" },
    code_dark: { house: "Standard", midnight: "Midnight", ember: "Ember" },
  },
};
