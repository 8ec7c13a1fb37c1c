import { cx } from '../ui/cx.ts'

/** The unit may be given a width, for the numbers of a column to end in line. */
export function VCpus({ count, className }: { count: number; className?: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {count}{' '}
      <span className={cx('inline-block text-start text-tertiary', className)}>
        {count === 1 ? 'vCPU' : 'vCPUs'}
      </span>
    </span>
  )
}
