// Draws DOT. A script of its own, since only pages with graphs need it: it is several times as large as the rest.

import { instance } from '@viz-js/viz';

const viz = instance();
const font = { fontname: 'Arial', fontsize: 12.5 }; // of which it knows how wide letters are; style.css has the same, smaller
(globalThis as { concordDraw?: (dot: string) => Promise<SVGSVGElement> }).concordDraw = async (dot) => (await viz).renderSVGElement(dot, { graphAttributes: { ...font, bgcolor: 'none' }, nodeAttributes: font, edgeAttributes: font });
