// The sources: a verdict beside each line that claims something, messages in place, and the step that is looked at.

import { java } from '@codemirror/lang-java';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, WidgetType, gutter, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { App } from './app';
import { type Finding, type Range, SIGNS, type Verdict, worst } from './data';
import { h } from './dom';
import { plato } from './plato';

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], class: 'tok-keyword' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], class: 'tok-comment' },
  { tag: [tags.string, tags.number, tags.bool, tags.null, tags.atom], class: 'tok-literal' },
  { tag: [tags.typeName, tags.className], class: 'tok-type' },
]);

class VerdictMarker extends GutterMarker {
  constructor(readonly verdict: Verdict, readonly count: number) {
    super();
  }
  eq(other: VerdictMarker): boolean {
    return other.verdict === this.verdict && other.count === this.count;
  }
  toDOM(): Node {
    const title = `${this.count} ${this.count === 1 ? 'property' : 'properties'} claimed here: ${this.verdict}`;
    return h(`span.sign.${this.verdict}`, { title }, SIGNS[this.verdict]);
  }
}

class Message extends WidgetType {
  constructor(readonly finding: Finding, readonly select: () => void) {
    super();
  }
  eq(other: Message): boolean {
    return other.finding === this.finding;
  }
  toDOM(): HTMLElement {
    const { verdict, message, kind } = this.finding;
    return h(`button.message.${verdict}`, { type: 'button', click: this.select }, `${message} [${kind}]`);
  }
  ignoreEvent(): boolean {
    return true;
  }
}

/** Columns are in characters, offsets in UTF-16. */
function offset(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(line, doc.lines));
  const before = [...at.text].slice(0, column - 1).join('');
  return at.from + before.length;
}

interface Mark {
  from: number;
  to: number;
  name: string;
}

const setMarks = StateEffect.define<Mark[]>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const ranges = effect.value.flatMap(({ from, to, name }) => {
          const line = Decoration.line({ class: `at-${name}` }).range(transaction.state.doc.lineAt(from).from);
          return from < to ? [line, Decoration.mark({ class: `mark-${name}` }).range(from, to)] : [line];
        });
        value = Decoration.set(ranges, true);
      }
    }
    return value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class Sources {
  readonly element = h('section.sources', { 'aria-label': 'Sources' });
  private readonly tabs = h('div.tabs', { role: 'tablist' });
  private readonly views: EditorView[] = [];
  private shown = -1;

  constructor(private readonly app: App) {
    this.element.append(this.tabs);
    app.data.files.forEach((file, index) => {
      this.tabs.append(h('button', { type: 'button', role: 'tab', click: () => this.show(index) }, file.path));
      this.views.push(this.view(index));
      this.element.append(this.views[index].dom);
    });
    this.show(0);
    app.onSelect(() => this.follow());
    app.onPoint((range) => this.point(range));
  }

  private view(file: number): EditorView {
    const { text, path } = this.app.data.files[file];
    const doc = Text.of(text.split('\n'));
    const verdicts = this.verdicts(doc, file);
    const extensions = [
      EditorState.lineSeparator.of('\n'),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ 'aria-label': path }),
      gutter({
        class: 'verdicts',
        markers: () => verdicts,
        domEventHandlers: { click: (view, line) => this.selectAt(file, view.state.doc.lineAt(line.from).number) },
      }),
      lineNumbers(),
      syntaxHighlighting(colours),
      path.endsWith('.java') ? java() : path.endsWith('.plato') ? plato : [],
      marks,
      EditorView.decorations.of(this.messages(doc, file)),
    ];
    return new EditorView({ state: EditorState.create({ doc, extensions }) });
  }

  private verdicts(doc: Text, file: number): RangeSet<GutterMarker> {
    const lines = new Map<number, Verdict[]>();
    for (const it of this.app.findings) {
      if (it.claim[0] === file) lines.set(it.claim[1], [...(lines.get(it.claim[1]) ?? []), it.verdict]);
    }
    const builder = new RangeSetBuilder<GutterMarker>();
    for (const line of [...lines.keys()].sort((a, b) => a - b)) {
      const all = lines.get(line)!;
      const from = doc.line(Math.min(line, doc.lines)).from;
      builder.add(from, from, new VerdictMarker(worst(all), all.length));
    }
    return builder.finish();
  }

  private messages(doc: Text, file: number): DecorationSet {
    const widgets = this.app.findings.flatMap((it, index) => {
      const isTold = (it.verdict === 'violated' || it.verdict === 'unproved') && it.dependsOn === '';
      if (it.at[0] !== file || !isTold) return [];
      const widget = new Message(it, () => this.app.selectFinding(index));
      return [Decoration.widget({ widget, block: true, side: 1 }).range(doc.line(Math.min(it.at[1], doc.lines)).to)];
    });
    return Decoration.set(widgets, true);
  }

  private selectAt(file: number, line: number): boolean {
    const here = this.app.findings.map((it, index) => ({ it, index })).filter(({ it }) => it.claim[0] === file && it.claim[1] === line);
    if (here.length === 0) return false;
    const verdict = worst(here.map(({ it }) => it.verdict));
    this.app.selectFinding(here.find(({ it }) => it.verdict === verdict)!.index);
    return true;
  }

  private show(file: number): void {
    if (this.shown === file || this.views[file] === undefined) return;
    this.shown = file;
    this.views.forEach((view, index) => (view.dom.hidden = index !== file));
    [...this.tabs.children].forEach((tab, index) => tab.setAttribute('aria-selected', String(index === file)));
    this.views[file].requestMeasure();
  }

  /** Shows where the selected step is, and in other colours where the finding leads to. */
  private follow(): void {
    const finding = this.app.current();
    if (finding === undefined) return this.mark([]);
    const { step } = this.app.selection;
    const at = step > 0 ? finding.trace.steps[step - 1].at : finding.at;
    const others: [Range, string][] = [[finding.claim, 'claim'], ...finding.related.map((it): [Range, string] => [it.at, 'related'])];
    const { steps, ending } = finding.trace;
    const isEnd = step === steps.length;
    // Threads that wait for ever: where they wait is what is wrong, and not the last step.
    const stuck = isEnd ? ending.map((it): [Range, string] => [it.at, 'break']) : [];
    this.mark([...others, ...stuck, [at, isEnd && stuck.length === 0 ? 'break' : 'step']]);
    this.scrollTo(stuck.length > 0 ? finding.at : at);
  }

  private point(range: Range): void {
    this.mark([[range, 'step']]);
    this.scrollTo(range);
  }

  private mark(all: [Range, string][]): void {
    this.views.forEach((view, file) => {
      const doc = view.state.doc;
      const here = all.filter(([range]) => range[0] === file).map(([range, name]) => ({
        from: offset(doc, range[1], range[2]),
        to: range[3] > range[1] ? doc.line(Math.min(range[1], doc.lines)).to : offset(doc, range[3], range[4]), // of many lines the first
        name,
      }));
      view.dispatch({ effects: setMarks.of(here) });
    });
  }

  private scrollTo(range: Range): void {
    this.show(range[0]);
    const view = this.views[range[0]];
    const at = offset(view.state.doc, range[1], range[2]);
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'center' }) });
  }
}
