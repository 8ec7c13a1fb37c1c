import { addToast } from '../../ui/toasts.tsx'

export const saidOfVpc = (name: string, done: 'created' | 'updated' | 'deleted') =>
  addToast({
    content: (
      <>
        VPC <b>{name}</b> {done}
      </>
    ),
  })
