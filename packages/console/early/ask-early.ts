import type { EarlyPage, EarlyPages } from './pages.ts'

/**
 * The script in the head of the document: asks for the answers that the loaders of the
 * page need, while the start of the console is still on its way. Its text goes into a file of its
 * own, so it uses nothing of this module.
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
  // A search changes what a page reads.
  if (!page || location.search !== '') return
  let known: string | null = null
  try {
    known = localStorage.getItem(extensionsKey)
  } catch {
    // Without storage, it is not known what the control plane has.
  }
  const { reads: extended, plainReads: plain = extended } = page
  // As long as that is not known, only the reads that every control plane has.
  const common = extended.filter((read) => plain.includes(read))
  const own = known === null ? common : known === 'true' ? extended : plain
  const names = page.path.split('/')
  const reads = [...always, ...own]
  const headers = { 'content-type': 'application/json', 'api-version': apiVersion }
  const answers = new Map<string, Promise<Response>>()
  for (const read of reads) {
    const url = read.replaceAll(/\$\w+/g, (name) => segments[names.indexOf(name)] ?? name)
    const answer = fetch(url, { headers })
    // A failure is told to the code that takes the answer; there may be none.
    answer.catch(() => {})
    answers.set(url, answer)
  }
  Object.assign(globalThis, { earlyAnswers: answers })
  // The first format of a page takes 10 ms, in which the browser now only waits for the code.
  ;(0).toLocaleString()
}
