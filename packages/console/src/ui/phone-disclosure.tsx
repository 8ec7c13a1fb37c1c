import { ChevronRight } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { cx } from './cx.ts'

type PhoneDisclosureProps = { label: string; children: ReactNode }

/**
 * Content that is collapsed on phones, so that the following content starts on the first
 * screen.
 */
export function PhoneDisclosure({ label, children }: PhoneDisclosureProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="focus-inset mx-[calc(var(--gutter)-4px)] mb-3 flex h-8 items-center gap-1 self-start rounded-control text-secondary hover:text-primary sm:hidden"
      >
        <ChevronRight
          size={16}
          strokeWidth={1.5}
          aria-hidden
          className={cx('transition-transform', open && 'rotate-90')}
        />
        {label}
      </button>
      <div id={id} className={open ? undefined : 'max-sm:hidden'}>
        {children}
      </div>
    </>
  )
}
