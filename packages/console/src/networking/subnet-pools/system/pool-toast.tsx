import { addToast } from '../../../ui/toasts.tsx'

export const saidOfPool = (name: string, done: 'created' | 'updated' | 'deleted') =>
  addToast({
    content: (
      <>
        Subnet pool <b>{name}</b> {done}
      </>
    ),
  })
