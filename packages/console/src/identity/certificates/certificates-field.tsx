import type { CertificateCreate } from '@steading/api/client'
import { useId, useState } from 'react'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { Button } from '../../ui/button.tsx'
import { describedBy, FieldError, type FieldProps } from '../../ui/form/field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { AddCertificateModal } from './add-certificate.tsx'

type Props<T extends FieldValues, N extends FieldPath<T>> = Pick<
  FieldProps<T, N>,
  'name' | 'control'
> & {
  /** Name of the silo, as entered so far. */
  silo: string
  /** The silo is unreachable without a certificate. */
  required: boolean
}

const columns = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }: CertificateCreate) => <span className="wrap-anywhere">{name}</span>,
  },
]

/** The certificates of a new silo; the value is a list of {@link CertificateCreate}. */
export function CertificatesField<T extends FieldValues, N extends FieldPath<T>>({
  name,
  control,
  silo,
  required,
}: Props<T, N>) {
  const [adding, setAdding] = useState(false)
  const {
    field: { ref, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      validate: (value: CertificateCreate[]) =>
        required && value.length === 0 ? 'At least one certificate is required' : undefined,
    },
  })
  const certificates = field.value as CertificateCreate[]
  const error = fieldState.error?.message
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <span className="font-medium">TLS Certificates</span>
      <MiniTable
        label="TLS Certificates"
        columns={columns}
        items={certificates}
        rowKey={(each) => each.name}
        onRemove={(removed) => field.onChange(certificates.filter((each) => each !== removed))}
        removeLabel={(each) => `remove cert ${each.name}`}
      />
      <div>
        <Button
          size="sm"
          ref={ref}
          aria-describedby={describedBy(id, undefined, error)}
          onClick={() => setAdding(true)}
        >
          Add TLS certificate
        </Button>
      </div>
      <FieldError id={id} error={error} />
      {adding && (
        <AddCertificateModal
          silo={silo}
          takenNames={certificates.map((each) => each.name)}
          onAdd={(certificate) => {
            field.onChange([...certificates, certificate])
            setAdding(false)
          }}
          onDismiss={() => setAdding(false)}
        />
      )}
    </div>
  )
}
