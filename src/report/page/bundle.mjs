// Bundles the page into three texts, and writes them as C++: node bundle.mjs OUT.cc (src/report/page_parts.h).

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { buildSync } = createRequire(join(process.cwd(), 'package.json'))('esbuild');

function bundled(file) {
  const { outputFiles } = buildSync({
    entryPoints: [join(here, file)],
    bundle: true,
    minify: true,
    write: false,
    format: file.endsWith('.ts') ? 'iife' : undefined,
    target: 'es2022',
    nodePaths: [join(process.cwd(), 'node_modules')],
    legalComments: 'inline',
    charset: 'utf8',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** A string literal; bytes that are not plain are octal, and question marks, which could make trigraphs. */
function literal(text) {
  let out = '"';
  for (const byte of Buffer.from(text)) {
    if (byte === 0x0a) out += '\\n"\n"';
    else if (byte === 0x22 || byte === 0x5c) out += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte > 0x7e || byte === 0x3f) out += `\\${byte.toString(8).padStart(3, '0')}`;
    else out += String.fromCharCode(byte);
  }
  return `${out}"`;
}

const parts = { kPageScript: 'main.ts', kPageStyle: 'style.css', kGraphScript: 'graph.ts' };
const kOurMistake = 65; // and not that of npm, or of this machine

function definition([name, file]) {
  try {
    return `const std::string_view ${name} = ${literal(bundled(file))};\n`;
  } catch (error) {
    if (!(error.errors?.length > 0)) throw error;
    process.exit(kOurMistake); // esbuild has said where
  }
}

const definitions = Object.entries(parts).map(definition);
writeFileSync(process.argv[2], `#include "report/page_parts.h"\n\nnamespace concord::report {\n\n${definitions.join('\n')}\n}\n`);
