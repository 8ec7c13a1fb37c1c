/** The mark: a barn with a broken roof, whose storeys are the units of a rack. */
const MARK =
  'M12 1.5 18.8 5 22 10.5H2L5.2 5Z' +
  'M2 12.2h20v4.4H2ZM5.4 13.4a1 1 0 1 0 0 2 1 1 0 1 0 0-2Z' +
  'M2 18.3h20v4.2H2ZM5.4 19.4a1 1 0 1 0 0 2 1 1 0 1 0 0-2Z'

export function Logo({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={className}
      fill="currentColor"
      aria-hidden
    >
      <path fillRule="evenodd" d={MARK} />
    </svg>
  )
}
