import { useCopy } from './clipboard.ts'
import { cx } from './cx.ts'
import { tooltip } from './tooltip.tsx'
import { Truncate, Mono } from './text.tsx'

/** Maximum length of a value in the button's accessible name. */
const SAID = 64

export function CopyButton({ text, className }: { text: string; className?: string }) {
  const [copied, copy] = useCopy(text)
  const label = copied ? 'Copied' : 'Click to copy'
  return (
    <button
      type="button"
      // The value distinguishes several copy buttons of a page.
      aria-label={copied || text.length > SAID ? label : `${label} ${text}`}
      onClick={copy}
      className={cx(
        'copy-button shape focus-inset inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-tertiary hover:bg-hover hover:text-primary',
        copied ? 'shape-check text-green-text!' : 'shape-copy',
        className,
      )}
      {...tooltip(label)}
    />
  )
}

/** An identifier, truncated in the middle, at most 12 rem wide, with a copy button. */
export function CopyableId({ id, className = 'max-w-48' }: { id: string; className?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <Mono className={cx('min-w-0', className)}>
        <Truncate text={id} />
      </Mono>
      <CopyButton text={id} />
    </span>
  )
}
