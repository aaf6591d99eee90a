/**
 * The part of scrypt that is too slow in Python, as a device: reading from it mixes the interpreter's read buffer in place. The
 * buffer begins with n, r and the block, followed by room for n blocks.
 */
globalThis.defineScrypt = (FS, memory) => {
  const { Module, Instance, Memory } = WebAssembly;
  const INVALID = 28;
  const HEAD_WORDS = 2;
  const BLOCK_WORDS = 32;
  const R_MAX = 1_024;
  const PAGE = 65_536;

  /** For each step of Salsa20: the changed word, its two sources, and the bits of the rotation. */
  const STEPS = [4, 1].flatMap((stride) =>
    [0, 1, 2, 3].flatMap((line) => {
      const diagonal = (5 * line) % 16;
      const toWord = (n) => (stride === 4 ? (diagonal + 4 * n) % 16 : 4 * line + ((line + n) % 4));
      return [
        [1, 0, 3, 7],
        [2, 1, 0, 9],
        [3, 2, 1, 13],
        [0, 3, 2, 18],
      ].map(([to, a, b, bits]) => [toWord(to), toWord(a), toWord(b), bits]);
    }),
  );

  /** A WebAssembly module of one function, salsa(x, b): x = Salsa20/8(x ^ b), of 16 words each. */
  function assembleSalsa() {
    const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)]);
    const sized = (bytes) => [...number(bytes.length), ...bytes];
    const section = (id, bytes) => [id, ...sized(bytes)];
    const [get, set, load, store] = [0x20, 0x21, 0x28, 0x36];
    const [add, xor, rotateLeft, constant] = [0x6a, 0x73, 0x77, 0x41];
    const word = (n) => n + 2;
    const wordNumbers = Array.from({ length: 16 }, (_, n) => n);
    const mixIn = wordNumbers.flatMap((n) => {
      const loadWord = [load, 2, ...number(4 * n)];
      return [get, 0, get, 0, ...loadWord, get, 1, ...loadWord, xor, store, 2, ...number(4 * n)];
    });
    const take = wordNumbers.flatMap((n) => [get, 0, load, 2, ...number(4 * n), set, word(n)]);
    const round = STEPS.flatMap(([to, a, b, bits]) => [
      ...[get, word(to), get, word(a), get, word(b), add, constant, bits, rotateLeft, xor],
      ...[set, word(to)],
    ]);
    const give = wordNumbers.flatMap((n) => [
      ...[get, 0, get, 0, load, 2, ...number(4 * n), get, word(n), add, store, 2, ...number(4 * n)],
    ]);
    const body = [1, 16, 0x7f, ...mixIn, ...take, ...round, ...round, ...round, ...round, ...give, 0x0b];
    return Uint8Array.of(
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [1, 0x60, 2, 0x7f, 0x7f, 0]),
      ...section(2, [1, 0, 0, 2, 0, 0]),
      ...section(3, [1, 0]),
      ...section(7, [1, 0, 0, 0]),
      ...section(10, [1, ...sized(body)]),
    );
  }

  /** Creates a block of `r` and the function that mixes it in place: even results go to the first half, odd ones to the second. */
  function createMixer(r) {
    const length = BLOCK_WORDS * r;
    const ownMemory = new Memory({ initial: Math.ceil((64 + 8 * length) / PAGE) });
    const { "": salsa } = new Instance(new Module(assembleSalsa()), { "": { "": ownMemory } }).exports;
    const block = new Int32Array(ownMemory.buffer, 64, length);
    const mixed = new Int32Array(ownMemory.buffer, 64 + 4 * length, length);
    const x = new Int32Array(ownMemory.buffer, 0, 16);
    const mixBlock = () => {
      x.set(block.subarray(-16));
      for (let i = 0; i < 2 * r; i++) {
        salsa(0, 64 * (i + 1));
        mixed.set(x, 16 * ((i >> 1) + (i & 1) * r));
      }
      block.set(mixed);
    };
    return { block, mixBlock };
  }

  function mix(words, n, r) {
    const { block, mixBlock } = createMixer(r);
    const { length } = block;
    block.set(words.subarray(0, length));
    for (let i = 1; i <= n; i++) {
      words.set(block, i * length);
      mixBlock();
    }
    for (let step = 0; step < n; step++) {
      const start = (1 + (block[length - 16] & (n - 1))) * length;
      for (let word = 0; word < length; word++) block[word] ^= words[start + word];
      mixBlock();
    }
    words.set(block);
  }

  function read(_, buffer, offset, length) {
    const start = buffer.byteOffset + offset;
    if (buffer.buffer !== memory.buffer || start % 4 !== 0) throw new FS.ErrnoError(INVALID);
    const words = new Int32Array(buffer.buffer, start, length >> 2);
    const [n, r] = words;
    if (!(n > 1 && r > 0 && r <= R_MAX && HEAD_WORDS + BLOCK_WORDS * r * (n + 1) === words.length))
      throw new FS.ErrnoError(INVALID);
    mix(words.subarray(HEAD_WORDS), n, r);
    return length;
  }

  const id = FS.makedev(91, 0);
  FS.registerDevice(id, { open() {}, close() {}, read, write: (_, __, ___, length) => length });
  FS.mkdev("/dev/scrypt", 0o444, id);
};
