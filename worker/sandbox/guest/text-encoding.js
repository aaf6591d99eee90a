/** TextEncoder and TextDecoder, which isolates lack. */
globalThis.defineTextEncoding = () => {
  /** UTF-8 by the standard: malformed text becomes U+FFFD. */
  globalThis.TextEncoder = class {
    encode(text = "") {
      const bytes = new Uint8Array(text.length * 3);
      return bytes.slice(0, this.encodeInto(text, bytes).written);
    }
    encodeInto(text, bytes) {
      let written = 0;
      let read = 0;
      for (const character of text) {
        const point = character.codePointAt(0);
        const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
        const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (written + size > bytes.length) break;
        if (size === 1) bytes[written] = code;
        else {
          for (let i = size - 1; i > 0; i--)
            bytes[written + i] = 0x80 | ((code >> (6 * (size - 1 - i))) & 0x3f);
          bytes[written] = [0, 0, 0xc0, 0xe0, 0xf0][size] | (code >> (6 * (size - 1)));
        }
        written += size;
        read += character.length;
      }
      return { read, written };
    }
  };
  globalThis.TextDecoder = class {
    constructor(label = "utf-8") {
      this.encoding = label;
    }
    decode(view = new Uint8Array(0)) {
      const bytes = ArrayBuffer.isView(view)
        ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
        : new Uint8Array(view);
      if (/^utf-?16/i.test(this.encoding)) return utf16(bytes);
      let text = "";
      for (let i = 0; i < bytes.length; ) {
        const lead = bytes[i];
        const size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
        let code = size === 1 ? lead : lead & (0xff >> (size + 1));
        let consumed = 1;
        while (consumed < size && (bytes[i + consumed] & 0xc0) === 0x80)
          code = (code << 6) | (bytes[i + consumed++] & 0x3f);
        text += consumed === size && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
        i += consumed;
      }
      return text;
    }
  };
  function utf16(bytes) {
    let text = "";
    for (let i = 0; i + 1 < bytes.length; i += 2) text += String.fromCharCode(bytes[i] | (bytes[i + 1] << 8));
    return text;
  }
};
