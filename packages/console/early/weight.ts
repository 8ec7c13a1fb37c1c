/** How much code the pages of a build begin with. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LINKS_BY_PATH } from '@steading/api/rules'

/**
 * Maximum bytes of JavaScript, as sent, until the list of instances is drawn. Other names of files
 * alone change them by some 70.
 */
export const FIRST_LIST = 149_200
/** Maximum for the largest page, with the libraries of its forms and charts. */
export const ANY_PAGE = 299_300
/** Maximum files of code until the list of instances is drawn, and of any page. */
export const FIRST_LIST_FILES = 7
export const ANY_PAGE_FILES = 60

export interface PageWeight {
  path: string
  /** Addresses of its code, with those of the start. */
  files: string[]
  /** As sent. */
  bytes: number
}

const filesIn = (text: string, file: RegExp) => [...text.matchAll(file)].map(([, name]) => name!)

/**
 * The code of each page.
 * @param dist the folder of the build
 */
export function pageWeights(dist: string): PageWeight[] {
  const read = (file: string) => readFileSync(join(dist, file))
  const sizes = new Map<string, number>()
  const sent = (file: string): number => {
    const known = sizes.get(file)
    if (known !== undefined) return known
    const compressed = join(dist, `${file}.br`)
    const size = existsSync(compressed)
      ? readFileSync(compressed).length
      : brotliCompressSync(read(file)).length
    sizes.set(file, size)
    return size
  }
  const start = filesIn(read('index.html').toString(), /(?:src|href)="(\/[^"?]+\.js)/g)
  const links = JSON.parse(read(LINKS_BY_PATH).toString()) as Record<string, string>
  return Object.entries(links).map(([path, link]) => {
    const files = [...new Set([...start, ...filesIn(link, /<(.*?)>/g)])]
    return { path, files, bytes: files.reduce((total, file) => total + sent(file), 0) }
  })
}
