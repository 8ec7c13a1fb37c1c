import type { WellKnownImage } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { readingOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { catalogQuery } from '../image-catalog/queries.ts'

type Props<T extends FieldValues> = {
  control: Control<T>
  known: string
  onChoose: (image: WellKnownImage) => void
}

/** The choice of a well-known image. */
export function KnownImageField<T extends FieldValues & { known: string }>({
  control,
  known,
  onChoose,
}: Props<T>) {
  const catalog = useQuery(catalogQuery)
  const images = catalog.data?.images
  const chosen = images?.find(({ name }) => name === known)
  return (
    <>
      <ListboxField
        name={'known' as FieldPath<T>}
        label="Well-known image"
        placeholder="Select an image"
        control={control}
        required
        onChange={(name) => {
          const image = images?.find((one) => one.name === name)
          if (image) onChoose(image)
        }}
        {...readingOf(catalog)}
        options={
          images?.map(({ name, architecture }) => ({
            value: name,
            label: `${name} (${architecture})`,
          })) ?? []
        }
        empty="The operators of this cloud list no images"
      />
      {chosen && (
        <Banner>
          <span className="wrap-anywhere">
            From <Mono>{chosen.url}</Mono>
            {chosen.checksum ? ', with a checksum' : ', without a checksum'}.
          </span>{' '}
          {chosen.user && (
            <>
              Its user is <Mono>{chosen.user}</Mono>.
            </>
          )}
        </Banner>
      )}
    </>
  )
}
