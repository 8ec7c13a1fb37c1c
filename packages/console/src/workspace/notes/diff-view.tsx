import { cx } from '../../ui/cx.ts'
import { diffLines, type DiffLine } from './line-diff.ts'

const signs: Record<DiffLine['change'], { sign: string; word?: string; className?: string }> = {
  same: { sign: ' ' },
  added: { sign: '+', word: 'Added: ', className: 'bg-green-surface text-green-text' },
  removed: { sign: '−', word: 'Removed: ', className: 'bg-red-surface text-red-text' },
}

type DiffViewProps = { label: string; before: string; after: string }

/** The lines of a text, with those that were added and removed. */
export const DiffView = ({ label, before, after }: DiffViewProps) => (
  <div
    role="region"
    aria-label={label}
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll
    tabIndex={0}
    className="max-h-[60vh] overflow-auto rounded-control border bg-sunken py-1 font-mono text-xs text-primary"
  >
    {diffLines(before, after).map(({ change, text }, index) => {
      const { sign, word, className } = signs[change]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- lines have nothing else
        <div key={index} className={cx('flex gap-2 px-2 leading-5', className)}>
          <span aria-hidden className="w-2 shrink-0 select-none">
            {sign}
          </span>
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {word && <span className="sr-only">{word}</span>}
            {text}
          </span>
        </div>
      )
    })}
  </div>
)
