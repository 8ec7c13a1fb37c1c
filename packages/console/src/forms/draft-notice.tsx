import type { Draft } from '../data/draft.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { formatMoment } from '../ui/time.tsx'

type DraftNoticeProps = { restored: Draft<unknown> | undefined; discard: () => void }

/** Over a form that was filled with the input of before. */
export const DraftNotice = ({ restored, discard }: DraftNoticeProps) =>
  restored && (
    <Banner
      variant="info"
      title="Your draft was restored"
      action={
        <Button size="sm" onClick={discard}>
          Discard draft
        </Button>
      }
    >
      You last edited it in this tab at {formatMoment(new Date(restored.savedAt))}.
      {restored.incomplete && ' Files have to be chosen again.'}
    </Banner>
  )
