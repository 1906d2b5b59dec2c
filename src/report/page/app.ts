// What all views share: the data, what is selected, and who wants to know when that changes.

import type { Data, Finding, Range } from './data';

export interface Selection {
  view: string; // 'summary', 'proofs', 'tree', 'machines', 'configurations', or 'finding'
  finding: number; // index; of the view 'finding'
  step: number; // of its run: 0 is before the first
}

type Listener = (now: Selection, before: Selection) => void;

export class App {
  readonly findings: Finding[];
  selection: Selection = { view: 'summary', finding: -1, step: 0 };
  private readonly listeners: Listener[] = [];
  private readonly pointers: ((range: Range) => void)[] = [];

  constructor(readonly data: Data) {
    this.findings = [...data.findings, ...data.waived];
  }

  onSelect(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Whoever shows sources; `pointTo` asks them to show a place. */
  onPoint(listener: (range: Range) => void): void {
    this.pointers.push(listener);
  }

  pointTo(range: Range): void {
    for (const it of this.pointers) it(range);
  }

  select(change: Partial<Selection>): void {
    const before = this.selection;
    this.selection = { ...before, ...change };
    const steps = this.current()?.trace.steps.length ?? 0;
    this.selection.step = Math.max(0, Math.min(this.selection.step, steps));
    location.replace(`#${this.toHash()}`);
    for (const it of this.listeners) it(this.selection, before);
  }

  /** Where it breaks is what one wants to see first. */
  selectFinding(index: number): void {
    const steps = this.findings[index].trace.steps.length;
    this.select({ view: 'finding', finding: index, step: steps });
  }

  current(): Finding | undefined {
    return this.selection.view === 'finding' ? this.findings[this.selection.finding] : undefined;
  }

  place(range: Range): string {
    return `${this.data.files[range[0]].path}:${range[1]}:${range[2]}`;
  }

  /** Without folders, and without the file if that is the first one. */
  shortPlace(range: Range): string {
    return range[0] === 0 ? `${range[1]}:${range[2]}` : this.place(range).replace(/^.*\//, '');
  }

  fromHash(): boolean {
    const parts = new URLSearchParams(location.hash.slice(1));
    const finding = Number(parts.get('finding') ?? -1);
    if (this.findings[finding] !== undefined) {
      this.select({ view: 'finding', finding, step: Number(parts.get('step') ?? 0) });
      return true;
    }
    const view = parts.get('view');
    if (view) this.select({ view });
    return view !== null;
  }

  private toHash(): string {
    const { view, finding, step } = this.selection;
    return view === 'finding' ? `finding=${finding}&step=${step}` : `view=${view}`;
  }
}
