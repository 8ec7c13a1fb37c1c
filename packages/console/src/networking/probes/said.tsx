import { addToast } from '../../ui/toasts.tsx'

/** Tells what was done with a probe. */
export function said(name: string, done: string): void {
  addToast({
    content: (
      <>
        Probe <b>{name}</b> {done}
      </>
    ),
  })
}
