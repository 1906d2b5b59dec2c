// Plato's words, for the editor to colour.

import { StreamLanguage, type StreamParser } from '@codemirror/language';

const KEYWORDS = new Set(
  `abstract abstracted acquire action actions and array as assert assume at atomic await by break call catch check choose class
  const continue do else ensures enum env_assumption exclusive exists extends finally for forall from ghost global_invariant
  guarantee guarded_by havoc if index initial initially invariant join lock_order loop loop_invariant modifies module monitor_invariant new
  node notify notifyall nowarn null old or proc release requires result return returns set signals skip spurious start state
  then this thread thread_local throw to trusted try unsupported unwritable_by_env_if elems_unwritable_by_env_if uses var
  volatile wait when while with writable_if final fails goes edge holds free old`.split(/\s+/));
const TYPES = new Set(['bool', 'int', 'int8', 'int16', 'int32', 'int64', 'tid', 'monitor', 'lock', 'set', 'map', 'float', 'double']);
const ATOMS = new Set(['true', 'false', 'null', 'none', 'tid']);

const parser: StreamParser<{ inComment: boolean }> = {
  name: 'plato',
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.match(/^.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^"[^"]*"?/)) return 'string';
    if (stream.match(/^\d+/)) return 'number';
    const word = stream.match(/^\\?[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word === null) {
      stream.next();
      return null;
    }
    if (ATOMS.has(word[0])) return 'atom';
    if (TYPES.has(word[0])) return 'typeName';
    return KEYWORDS.has(word[0]) || word[0].startsWith('\\') ? 'keyword' : 'variableName';
  },
};

export const plato = StreamLanguage.define(parser);
