import { addToast } from '../../ui/toasts.tsx'

/** Tells what was done to an external subnet. */
export function said(name: string, done: string): void {
  addToast({
    content: (
      <>
        External subnet <b>{name}</b> {done}
      </>
    ),
  })
}
