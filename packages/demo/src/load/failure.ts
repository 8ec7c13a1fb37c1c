import { element } from '../host/element.ts'
import { FileError } from './download.ts'

const reasons: Record<FileError['kind'], string> = {
  missing: 'One of its files is missing. If trying again does not help, the site is incomplete.',
  damaged:
    'One of its files is damaged. If trying again does not help, the site has to be built again.',
}

function reasonOf(error: unknown): string {
  if (error instanceof FileError) return reasons[error.kind]
  // Browsers report files that cannot be fetched like this.
  if (error instanceof TypeError) return 'Its files could not be loaded. Check the connection.'
  return error instanceof Error ? error.message : String(error)
}

/**
 * Shows a page with the reason why the demo cannot start, in front of the console, which knows
 * nothing without it.
 * @param buttonClass of the console's button
 * @returns a promise that resolves when the visitor tries again
 */
export function showFailure(error: unknown, buttonClass: string): Promise<void> {
  const again = element('button', { class: buttonClass }, 'Try again')
  const page = element(
    'main',
    { class: 'start-failure' },
    element(
      'div',
      {},
      element('h1', {}, 'The demo cannot start'),
      element('p', {}, reasonOf(error)),
      again,
    ),
  )
  const behind = document.querySelector('#root')!
  behind.toggleAttribute('inert', true)
  document.body.append(page)
  again.focus()
  return new Promise((resolve) => {
    again.addEventListener('click', () => {
      page.remove()
      behind.toggleAttribute('inert', false)
      resolve()
    })
  })
}
