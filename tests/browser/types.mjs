// The page's TypeScript fits together: the bundler drops types without looking at them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, folder, root, test } from './harness.mjs';

test('types', async () => {
  const sources = join(root, 'src/report/page');
  const packages = join(folder, '../page/node_modules'); // those it was bundled with
  const files = readdirSync(sources).filter((it) => it.endsWith('.ts')).map((it) => join(sources, it));
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    baseUrl: packages,
    paths: { '*': ['*'] },
  });
  const problems = ts.getPreEmitDiagnostics(program);
  expect(problems.length === 0, ts.formatDiagnostics(problems, { getCanonicalFileName: (it) => it, getCurrentDirectory: () => root, getNewLine: () => '\n' }));
});
