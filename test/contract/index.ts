import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Transcript } from './transcript';

/** The transcripts of each file here that has any, by the file's name. */
export const books: Readonly<Record<string, readonly Transcript[]>> = Object.fromEntries(
  readdirSync(__dirname)
    .filter((file) => /^(?!index\.)[\w-]+\.js$/.test(file))
    .flatMap((file) => {
      const { transcripts }: { transcripts?: readonly Transcript[] } = require(path.join(__dirname, file));
      return transcripts ? [[path.basename(file, '.js'), transcripts]] : [];
    }),
);
