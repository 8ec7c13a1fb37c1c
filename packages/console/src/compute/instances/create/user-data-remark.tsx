import type { Place, Remark } from './cloud-config.ts'

type Props = Remark & {
  /** Moves the cursor to the place of the mistake. */
  onShow?: (at: Place) => void
  onRemoveMark: () => void
}

/** A remark about user data, with a button that leads to the mistake or repairs it. */
export function RemarkText({ message, at, hasMark, onShow, onRemoveMark }: Props) {
  return (
    <>
      {at && onShow && (
        <>
          <RemarkButton onClick={() => onShow(at)}>
            Line {at.line}, column {at.column}
          </RemarkButton>
          {': '}
        </>
      )}
      <span className="wrap-anywhere">{message}</span>
      {hasMark && (
        <>
          {'. '}
          <RemarkButton onClick={onRemoveMark}>Remove it</RemarkButton>
        </>
      )}
    </>
  )
}

const RemarkButton = ({
  onClick,
  children,
}: {
  onClick: () => void
  children: React.ReactNode
}) => (
  <button
    type="button"
    onClick={onClick}
    className="rounded-sm font-medium underline underline-offset-2"
  >
    {children}
  </button>
)
