/** HTML fragments generated from the contract. */

export const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const code = (text: string): string => `<code>${escape(text)}</code>`

/** Lines of code, which scroll sideways by pointer and by keyboard. */
export const lines = (text: string): string => `<pre tabindex="0">${code(text)}</pre>`

/** A table that scrolls sideways on its own. The cells are HTML. */
export const table = (head: string[], rows: string[][]): string => {
  const cells = (row: string[], tag: string) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`
}
