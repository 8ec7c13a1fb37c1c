import type { BriefingSentence } from '@steading/api/client'
import { Fragment } from 'react'
import { linkTo } from '../../data/addresses.ts'
import { TextLink } from '../../ui/link.tsx'
import { StateShape } from '../../ui/state-badge.tsx'
import { formatMoment } from '../../ui/time.tsx'

type Part = BriefingSentence['parts'][number]

function PartText({ part: { text, path, timeTold: time } }: { part: Part }) {
  if (time) {
    return (
      <time dateTime={time.toISOString()} className="whitespace-nowrap tabular-nums">
        {formatMoment(time)}
      </time>
    )
  }
  if (path === null) return text
  return (
    <TextLink {...linkTo(path)} className="font-medium wrap-anywhere">
      {text}
    </TextLink>
  )
}

/** How a place is doing. It changes silently: screen readers are not interrupted. */
export const Sentences = ({ sentences }: { sentences: readonly BriefingSentence[] }) =>
  sentences.map(({ tone, parts }, index) => (
    <Fragment key={index}>
      {index > 0 && ' '}
      {(tone === 'failed' || tone === 'attention') && (
        <span className="relative -top-px me-1.5 inline-flex align-middle">
          <StateShape tone={tone} />
        </span>
      )}
      {parts.map((part, place) => (
        <PartText key={place} part={part} />
      ))}
    </Fragment>
  ))
