import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const file = join(import.meta.dirname, '../src/shell/skeleton.html')
const root = '<div id="root"></div>'

/** Puts a skeleton of the frame into the document, which is painted before any code has arrived. */
export const skeleton = (): Plugin => ({
  name: 'skeleton',
  transformIndexHtml: (html) => {
    if (!html.includes(root)) throw new Error(`The document has no ${root}`)
    const [, content] = readFileSync(file, 'utf8').split('-->\n')
    // Strips whitespace, a tenth of the document.
    const lean = content!.replaceAll(/>\s+</g, '><').replaceAll(/\s+/g, ' ').trim()
    return html.replace(root, () => root.replace('><', `>${lean}<`))
  },
})
