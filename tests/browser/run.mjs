import { runAll } from './harness.mjs';
import { close } from './pages.mjs';
import './schemas.mjs';
import './types.mjs';

const status = await runAll();
await close();
process.exit(status);
