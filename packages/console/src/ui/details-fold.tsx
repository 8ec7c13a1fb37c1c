import { ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { createStore } from './store.ts'

const KEY = 'details-open'

const stored = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'true'
  } catch {
    return false
  }
}
const opened = createStore(stored())

function setOpened(open: boolean): void {
  opened.set(open)
  try {
    localStorage.setItem(KEY, String(open))
  } catch {
    // Without storage, it is remembered until the page is reloaded.
  }
}

/**
 * The further properties of a resource. This browser remembers whether they are shown, for all
 * resources. On phones, they are shown: there, a `PhoneDisclosure` around them is closed.
 */
export function DetailsFold({ children }: { children: ReactNode }) {
  const id = useId()
  const open = opened.useValue()
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
        className="focus-inset mx-[calc(var(--gutter)-4px)] mb-3 flex h-8 items-center gap-1 self-start rounded-control pe-2 text-secondary hover:text-primary max-sm:hidden"
      >
        <ChevronRight
          size={16}
          strokeWidth={1.5}
          aria-hidden
          className={cx('transition-transform', open && 'rotate-90')}
        />
        Details
      </button>
      <div id={id} className={open ? undefined : 'sm:hidden'}>
        {children}
      </div>
    </>
  )
}
