import { join } from 'node:path'
import { build } from 'vite'

/**
 * Builds imported stylesheets into modules that export the minified CSS as text, as Vite's `?inline`
 * does.
 *
 * @param parameters.styles - relative to `source`; `x.css` becomes `x.css.js` in `out`
 */
export async function buildStyles(parameters: { source: string; out: string; styles: string[] }) {
  const { source, out, styles } = parameters
  if (styles.length === 0) return
  await build({
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: out,
      emptyOutDir: false,
      rolldownOptions: {
        input: Object.fromEntries(styles.map((style) => [style, `${join(source, style)}?inline`])),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js' },
      },
    },
  })
}
