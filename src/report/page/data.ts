// What the page shows: the same as page_data.cc writes.

export type Verdict = 'verified' | 'violated' | 'unproved' | 'unknown';
export type Values = [name: string, value: string][];
/** file, line, column, line after, column after: in characters, from 1 */
export type Range = [number, number, number, number, number];

export interface Situation {
  shared: Values;
  heap: { name: string; fields: Values }[];
  locals: { thread: string; procedure: string; values: Values }[];
  held: Values;
  followers: { thread: string; machine: string; nodes: string[] }[];
}

export interface Step {
  thread: string;
  at: Range;
  text: string;
  changes: Values;
  note: string;
  preempted: string;
  after: Situation;
  drawing: string;
  lost: string[];
}

export interface Trace {
  initial: Values;
  threads: string[];
  before: Situation;
  drawing: string;
  steps: Step[];
  ending: { thread: string; text: string; detail: string; at: Range }[];
}

export interface Finding {
  id: string;
  kind: string;
  verdict: Verdict;
  engine: string;
  message: string;
  dependsOn: string;
  waiver: string;
  text: string;
  claim: Range;
  at: Range;
  related: { message: string; at: Range }[];
  trace: Trace;
  counterexample: { before: Values; after: Values };
  ms: number;
}

export interface Question {
  part: string;
  properties: string[];
  at: Range;
  mayFail: string;
  status: 'proved' | 'failed' | 'unknown';
  solver: string;
  core: string[];
  ms: number;
}

export interface Machine {
  name: string;
  nodes: { name: string; assertion: string; isInitial: boolean; at: Range }[];
  edges: { from: number; to: number; text: string; at: Range }[];
}

export interface Kind {
  holds: string;
  mayFail: string;
  explanation: string;
  example: string;
  fixed: string;
  fix: string;
}

export interface Data {
  version: string;
  arguments: string[];
  verdict: Verdict;
  nothingChecked: string;
  interrupted: boolean;
  engine: string;
  why: string[];
  remembered: boolean;
  ms: number;
  statistics: Record<string, number>;
  assumptions: string[];
  notes: string[];
  inferred: string[];
  patch: string;
  notChecked: string[];
  files: { path: string; text: string }[];
  findings: Finding[];
  waived: Finding[];
  parts: { name: string; at: Range; ms: number }[];
  questions: Question[];
  proof: string; // of the dynamic engine, as docs/proofs.md says; empty: none
  machines: Machine[];
  configurations: { title: string; dot: string }[];
  kinds: Record<string, Kind>;
}

export const VERDICTS: Verdict[] = ['violated', 'unproved', 'unknown', 'verified'];
export const SIGNS: Record<Verdict, string> = { verified: '✓', violated: '✗', unproved: '!', unknown: '?' };

export function worst(verdicts: Verdict[]): Verdict {
  return VERDICTS.find((it) => verdicts.includes(it)) ?? 'verified';
}
