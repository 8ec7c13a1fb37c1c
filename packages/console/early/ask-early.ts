import type { EarlyPage, EarlyPages } from './pages.ts'

/**
 * Script in the head of the document: sends the reads of the page's loaders while the start of
 * the console is still loading. Its text becomes a separate file, so it uses nothing else of
 * this module.
 */
export function askEarly({ always, pages, apiVersion, extensionsKey }: EarlyPages): void {
  const segments = location.pathname.replace(/(.)\/$/, '$1').split('/')
  const matches = ({ path }: EarlyPage) => {
    const names = path.split('/')
    return (
      names.length === segments.length &&
      names.every((name, index) =>
        name.startsWith('$') ? segments[index] !== '' : name === segments[index],
      )
    )
  }
  const page = pages.find(matches)
  // Search parameters change the reads of a page.
  if (!page || location.search !== '') return
  let known: string | null = null
  try {
    known = localStorage.getItem(extensionsKey)
  } catch {
    // Without storage, the extensions of the control plane are unknown.
  }
  const { reads: extended, plainReads: plain = extended } = page
  // While the extensions are unknown, send only reads that every control plane supports.
  const common = extended.filter((read) => plain.includes(read))
  const own = known === null ? common : known === 'true' ? extended : plain
  const names = page.path.split('/')
  const reads = [...always, ...own]
  const headers = { 'content-type': 'application/json', 'api-version': apiVersion }
  const answers = new Map<string, Promise<Response>>()
  for (const read of reads) {
    const url = read.replaceAll(/\$\w+/g, (name) => segments[names.indexOf(name)] ?? name)
    const answer = fetch(url, { headers })
    // The code that takes the answer handles failures; it may never do so.
    answer.catch(() => {})
    answers.set(url, answer)
  }
  Object.assign(globalThis, { earlyAnswers: answers })
  // The first number format of a page takes 10 ms; here they are spent while waiting for the
  // code.
  ;(0).toLocaleString()
}
