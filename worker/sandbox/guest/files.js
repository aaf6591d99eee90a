/**
 * Files and pipes are in JavaScript's memory outside the interpreter's, so they have a limit of their own. Everything in memory
 * counts: a removed file counts until it is closed, and every name has a cost.
 */
globalThis.limitFiles = (python) => {
  const { FS } = python;
  const { MEMFS } = FS.filesystems;
  const { file, dir } = MEMFS.ops_table;
  const FILES_MAX_BYTES = 32 * 1024 * 1024;
  const NODE_BYTES = 512;
  const NO_SPACE_LEFT = 51;
  const sizes = new Map();
  let total = 0;

  function requireRoom(bytes) {
    if (total + bytes > FILES_MAX_BYTES) throw new FS.ErrnoError(NO_SPACE_LEFT);
  }
  function setSize(owner, bytes) {
    total += bytes - (sizes.get(owner) ?? 0);
    if (bytes === 0) sizes.delete(owner);
    else sizes.set(owner, bytes);
  }

  const contentBytes = (node) => (FS.isFile(node.mode) ? node.contents.length : 0);
  const nodeBytes = (node) =>
    NODE_BYTES + 2 * node.name.length + 2 * (node.link?.length ?? 0) + contentBytes(node);
  function changeFile(node, size, change) {
    requireRoom(Math.max(0, size - contentBytes(node)));
    const result = change();
    setSize(node, nodeBytes(node));
    return result;
  }

  const { write } = file.stream;
  file.stream.write = (stream, buffer, offset, length, position, canOwn) =>
    changeFile(stream.node, position + length, () => write(stream, buffer, offset, length, position, canOwn));
  const { setattr } = file.node;
  file.node.setattr = (node, change) => changeFile(node, change.size ?? 0, () => setattr(node, change));

  // Names are keys of an object; without a prototype, "__proto__" is an ordinary key.
  const removePrototype = (node) => Object.setPrototypeOf(node.contents, null);
  const { createNode } = MEMFS;
  MEMFS.createNode = (parent, name, mode, device) => {
    requireRoom(NODE_BYTES + 2 * name.length);
    const node = createNode(parent, name, mode, device);
    if (FS.isDir(node.mode)) removePrototype(node);
    setSize(node, nodeBytes(node));
    return node;
  };
  const { symlink } = dir.node;
  dir.node.symlink = (parent, name, target) => {
    requireRoom(NODE_BYTES + 2 * (name.length + target.length));
    const node = symlink(parent, name, target);
    setSize(node, nodeBytes(node));
    return node;
  };

  const removed = new Set();
  const isOpen = (node) => FS.streams.some((stream) => stream?.node === node);
  function release(node) {
    if (isOpen(node)) removed.add(node);
    else setSize(node, 0);
  }
  function findNode(parent, name) {
    try {
      return FS.lookupNode(parent, name);
    } catch {
      return null;
    }
  }
  for (const verb of ["unlink", "rmdir"]) {
    const remove = dir.node[verb];
    dir.node[verb] = (parent, name) => {
      const node = FS.lookupNode(parent, name);
      remove(parent, name);
      release(node);
    };
  }
  const { rename } = dir.node;
  dir.node.rename = (node, parent, name) => {
    const replaced = findNode(parent, name);
    requireRoom(2 * name.length);
    rename(node, parent, name);
    setSize(node, nodeBytes(node));
    if (replaced) release(replaced);
  };
  const { closeStream } = FS;
  FS.closeStream = (descriptor) => {
    const node = FS.streams[descriptor]?.node;
    closeStream(descriptor);
    if (!removed.has(node) || isOpen(node)) return;
    removed.delete(node);
    setSize(node, 0);
  };

  function limitPipes(pipes) {
    const { write, read, close } = pipes;
    const bucketBytes = 8192;
    const count = ({ node: { pipe } }) => setSize(pipe, (pipe.buckets?.length ?? 0) * bucketBytes);
    const withCount =
      (operation) =>
      (stream, ...rest) => {
        const result = operation(stream, ...rest);
        count(stream);
        return result;
      };
    pipes.read = withCount(read);
    pipes.close = withCount(close);
    pipes.write = withCount((stream, buffer, offset, length, position) => {
      requireRoom(length);
      return write(stream, buffer, offset, length, position);
    });
  }

  function openPipe() {
    const pointer = python._malloc(8);
    if (python._pipe(pointer) !== 0) throw new Error("There are no pipes");
    const ends = [0, 4].map((offset) => FS.getStream(python.HEAP32[(pointer + offset) >> 2]));
    python._free(pointer);
    return ends;
  }
  const ends = openPipe();
  limitPipes(ends[0].stream_ops);
  for (const end of ends) FS.close(end);

  // Terminals would buffer what is written to them until the end of a line, without limit.
  for (const major of [5, 6])
    FS.registerDevice(FS.makedev(major, 0), { read: () => 0, write: (_, __, ___, length) => length });

  const walk = (node) => {
    if (node.node_ops !== dir.node) return;
    removePrototype(node);
    for (const name of Object.keys(node.contents)) walk(node.contents[name]);
  };
  walk(FS.root);
};
