// The proof of what all threads compute, as the tree of rules that --save-proof writes (docs/proofs.md), with the sequents of its leaves.

import type { App } from './app';
import { type Child, fold, h } from './dom';

/** A word or quoted text, or a list of these. */
export type Term = string | Term[];

/** The text is ours, so it is well-formed. */
export function read(text: string): Term[] {
  const lists: Term[][] = [[]];
  for (const [token, quoted] of text.matchAll(/;[^\n]*|[()]|"((?:\\.|[^"\\])*)"|[^\s()";]+/gs)) {
    if (token.startsWith(';')) continue;
    if (token === '(') lists.push([]);
    else if (token === ')') {
      const done = lists.pop()!;
      lists.at(-1)!.push(done);
    } else lists.at(-1)!.push(quoted === undefined ? token : quoted.replace(/\\(.)/gs, '$1'));
  }
  return lists[0];
}

function print(term: Term): string {
  return typeof term === 'string' ? term : `(${term.map(print).join(' ')})`;
}

const INFIX: Record<string, string> = { and: '&&', or: '||', '=>': '==>', '=': '==', '<': '<', '<=': '<=', '+': '+', '-': '-', '*': '*', div: 'div', mod: 'mod' };

/** A formula as people write it, in the style of Plato; what has no operator there stays a function of its arguments. */
export function formula(term: Term): string {
  if (typeof term === 'string') return term;
  const [name, ...parts] = term;
  if (typeof name !== 'string') return print(term);
  const inner = parts.map(operand);
  if (name in INFIX && parts.length > 1) return inner.join(` ${INFIX[name]} `);
  switch (name) {
    case 'not': return `!${inner[0]}`;
    case 'neg': return `-${inner[0]}`;
    case 'ite': return `${inner[0]} ? ${inner[1]} : ${inner[2]}`;
    case 'select': return `${inner[0]}[${formula(parts[1])}]`;
    case 'store': return `${inner[0]}[${formula(parts[1])} := ${formula(parts[2])}]`;
    case 'sum': return `(\\sum int ${inner[0]}; ${inner[1]} <= ${inner[0]} && ${inner[0]} < ${inner[2]}; ${formula(parts[3])})`;
    case 'forall':
    case 'exists': return `(\\${name} ${(parts[0] as Term[][]).map(([it, sort]) => `${print(sort)} ${print(it)}`).join(', ')}; ${formula(parts[1])})`;
    case 'let': return `(let ${(parts[0] as Term[][]).map(([it, value]) => `${print(it)} = ${formula(value)}`).join(', ')}; ${formula(parts[1])})`;
    case 'everywhere':
    case 'enum': return print(term);
    default: return `${name}(${parts.map(formula).join(', ')})`;
  }
}

/** In parentheses, unless nothing could be taken for a part of it. */
function operand(term: Term): string {
  const isLoose = typeof term !== 'string' && typeof term[0] === 'string' && (term[0] in INFIX || ['not', 'neg', 'ite'].includes(term[0]));
  return isLoose ? `(${formula(term)})` : formula(term);
}

function rest(list: Term[], name: string): Term[] {
  const found = list.find((it) => Array.isArray(it) && it[0] === name) as Term[] | undefined;
  return found?.slice(1) ?? [];
}

const code = (text: string): HTMLElement => h('code', {}, text);

const WORDS = [
  ['class c', 'the threads of one declaration, from 0 in the order of the program'],
  ['position p', 'where threads of a class stand while others move: 0 at the entry, the last one at the end'],
  ['passed(c, p)', 'how many threads of class c have passed position p'],
  ['at(c, p, k)', 'the thread that was the k-th to pass it, from 0'],
  ['place(c, p, t)', 'as which thread t passes it'],
  ['thread(c)', 'the number of the thread that takes the step; identity(c, t) is thread t as a value'],
  ['x@first', 'what x was before the first step'],
  ['0.t', 'the local variable t of class 0'],
  ['1.0', 'an edge of the control flow, as concord show --cfg numbers them'],
];

export function treeView(app: App): HTMLElement {
  return h('section', {}, h('h2', {}, 'Proof tree'),
    h('p.quiet', {}, 'Rules, their premises, and the sequents that a solver has shown. ', code('--save-proof FILE'), ' keeps it, ', code('concord replay FILE'), ' checks it again.'),
    fold('Words', false, h('table.words', {}, ...WORDS.map(([word, meaning]) => h('tr', {}, h('td', {}, code(word)), h('td', {}, meaning))))),
    new Tree(read(app.data.proof)).element);
}

class Tree {
  readonly element: HTMLElement;
  private readonly words = new Map<string, string>(); // of the conjuncts of the invariant
  private readonly formulas = new Map<string, string>();

  constructor(private readonly proof: Term[]) {
    for (const it of rest(proof, 'invariant') as [string, string, Term][]) {
      this.words.set(it[0], it[1]);
      this.formulas.set(it[0], formula(it[2]));
    }
    const proved = rest(proof, 'proves') as string[];
    this.element = fold(['proves ', ...proved.flatMap((id) => [code(id), ' '])], true, this.conf(), this.invariant(), ...this.rules(), this.progress());
  }

  private conf(): HTMLElement {
    const classes = rest(this.proof, 'CONF') as Term[][];
    return fold([h('b', {}, 'CONF'), ` where threads stand: ${classes.length === 1 ? 'one class' : `${classes.length} classes`}`], false,
      h('ul', {}, ...classes.map((it) => h('li', {}, `class ${print(it[1])}: `, ...(it.slice(2) as string[][]).flatMap(([, node, at]) => [code(`node ${node}`), ` is position ${at}; `])))));
  }

  private invariant(): HTMLElement {
    return fold([h('b', {}, 'INV'), ` the invariant: ${this.words.size} conjunct${this.words.size === 1 ? '' : 's'}`], true,
      h('ol.conjuncts', {}, ...[...this.words].map(([number, words]) => h('li', { value: number }, words, fold('as a formula', false, h('pre', {}, this.formulas.get(number)!))))));
  }

  private rules(): Child[] {
    return rest(this.proof, 'INVARIANT').map((it) => {
      const [name, ...parts] = it as [string, ...Term[]];
      if (name === 'STEP') return this.step(parts);
      const title = { FIRST: 'it holds at first', 'EMPTY-PROGRAM': 'all threads have passed everything', ALWAYS: 'in every configuration' }[name] ?? '';
      return fold([h('b', {}, name), ` ${title}`], false, ...(parts as [string, Term][]).map(([of, leaf]) =>
        this.leaf(name === 'FIRST' ? ['the first configuration'] : name === 'ALWAYS' ? ['INV'] : ['INV', 'nobody stands anywhere'], this.named(of), leaf)));
    });
  }

  private step([of, ...parts]: Term[]): HTMLElement {
    const all = parts as Term[][];
    const path = rest(all, 'path').map(formula);
    const update = rest(all, 'update') as [Term, Term][];
    const before = ['INV', 'what is known of the thread where it stands', ...path];
    const premises = (name: string, goal: (number: string) => string): Child[] =>
      (rest(all, name) as [string, Term][]).map(([number, leaf]) => this.leaf(before, goal(number), leaf));
    return fold([h('b', {}, 'STEP'), ` of class ${print(of)} along ${rest(all, 'way').map(print).join(', ')}: `, code(rest(all, 'rules').map(print).join(' '))], false,
      path.length > 0 && h('div.effect', {}, 'where', h('ul', {}, ...path.map((it) => h('li', {}, code(it))))),
      update.length > 0 && h('div.effect', {}, 'update', h('table.update', {}, ...update.map(([variable, value]) =>
        h('tr', {}, h('td', {}, code(`${formula(variable)} :=`)), h('td', {}, code(formula(value))))))),
      ...premises('keeps', (it) => `after the update: ${this.named(it)}`), ...premises('reaches', (it) => `after the update: fact ${it}, of the thread`),
      ...premises('others', (it) => `after the update: fact ${it}, of any other thread of which it held`), ...premises('claims', (it) => it));
  }

  private progress(): Child {
    const classes = rest(this.proof, 'PROGRESS');
    return classes.length > 0 && h('p.leaf', {}, h('b', {}, 'PROGRESS'), ` no loop, and nobody who waits holds a lock: class ${classes.map(print).join(', ')}`);
  }

  private named(of: string): string {
    return this.words.get(of) ?? of;
  }

  private leaf(before: string[], goal: string, leaf: Term): HTMLElement {
    if (leaf === 'same') return h('p.leaf', {}, goal, h('small', {}, ' says nothing of what the step changes'));
    const [, solver, ...laws] = leaf as string[];
    return fold([h('span.sign.verified', {}, '✓'), ` ${goal}`], false,
      h('p.sequent', {}, code(before.join(', ')), h('b', {}, ' ⊢ '), code(goal)), h('small', {}, `shown by ${solver}${laws.length > 0 ? `, with ${laws.join(', ')}` : ''}`));
  }
}
