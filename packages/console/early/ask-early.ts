import type { EarlyPage, EarlyPages } from './pages.ts'

/**
 * The script in the head of the document: asks for the answers that the loaders of the
 * page need, while the start of the console is still on its way. Its text goes into a file of its
 * own, so it uses nothing of this module.
 */
export function askEarly({ always, pages, apiVersion, plainKey }: EarlyPages): void {
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
  let isPlain = false
  try {
    isPlain = localStorage.getItem(plainKey) !== null
  } catch {
    // Without storage, the extensions are asked for.
  }
  const names = page.path.split('/')
  const reads = [...always, ...((isPlain && page.plainReads) || page.reads)]
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
}
