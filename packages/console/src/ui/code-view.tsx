import { useId, useState, type ReactNode } from 'react'
import { CodeXml } from 'lucide-react'
import { Button, type ButtonSize } from './button.tsx'
import { cx } from './cx.ts'

/**
 * A footer button that shows the action as code, and the panel it opens.
 * @param code renders the code; without it there is no button
 */
export function useCodeView(code: (() => ReactNode) | undefined, size?: ButtonSize) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (!code) return { open: false, toggle: null, view: null }
  return {
    open,
    toggle: (
      <Button
        variant="ghost"
        size={size}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
        className={cx('max-sm:px-2', open && 'bg-hover text-primary')}
        icon={<CodeXml size={16} strokeWidth={1.5} aria-hidden />}
      >
        <span className="max-sm:sr-only">Show as code</span>
      </Button>
    ),
    view: open && <CodeFrame id={id}>{code()}</CodeFrame>,
  }
}

/** Scrollable frame for code. `--gutter` is its padding. */
export const CodeFrame = ({ id, children }: { id?: string; children: ReactNode }) => (
  <section
    id={id}
    dir="ltr"
    aria-label="As code"
    className="flex max-h-[45vh] min-h-0 flex-col bg-sunken"
  >
    {children}
  </section>
)
