/** A gable of three stacked bars. */
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
      <path d="M12 2 16.6 6.6H7.4Z" />
      <path d="M6.2 8.4h11.6l3 3v1.8H3.2v-1.8Z" />
      <path d="M3.2 15h17.6v5.2H3.2Z" />
    </svg>
  )
}
