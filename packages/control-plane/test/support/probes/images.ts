import { plain, type Probes } from './probe.ts'
import { fresh, ids, parents, server } from './world.ts'

const imageBody = (id: string) => ({
  name: fresh(),
  description: '',
  os: 'Plan 9',
  version: '4',
  source: { type: 'snapshot' as const, id },
})
const newImage = async (project: string | null): Promise<string> =>
  (await server.createImage(fresh(), project)).name

export const imagesProbes = {
  image_list: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'of the silo': { args: () => ({}), about: ['silo_image'] },
  },
  image_view: {
    'of a project': {
      args: () => ({ params: { image: 'img' }, query: parents }),
      about: ['image'],
    },
    'of the silo': { args: () => ({ params: { image: 'debian-13' } }), about: ['silo_image'] },
  },
  boot_source_view: {
    'an image of a project': {
      args: async () => {
        const { id } = await server.admin.call('image_view', {
          params: { image: 'img' },
          query: parents,
        })
        return { query: { type: 'image' as const, id } }
      },
      about: ['image'],
    },
    'an image of the silo': {
      args: async () => {
        const { id } = await server.admin.call('image_view', { params: { image: 'debian-13' } })
        return { query: { type: 'image' as const, id } }
      },
      about: ['silo_image'],
    },
    'an image of the silo in a project': {
      args: async () => {
        const { id } = await server.admin.call('image_view', { params: { image: 'debian-13' } })
        return { query: { ...parents, type: 'image' as const, id } }
      },
      about: ['project'],
    },
    'a snapshot': {
      args: () => ({ query: { type: 'snapshot' as const, id: ids.snapshot } }),
      about: ['snapshot'],
    },
    'a disk': {
      args: () => ({ query: { type: 'disk' as const, id: ids.data } }),
      about: ['disk'],
    },
  },
  project_silo_image_list: { args: () => ({ params: parents }) },
  project_silo_image_view: { args: () => ({ params: { ...parents, image: 'debian-13' } }) },
  image_policy_view: plain,
  // Members of projects may use the images of the silo, as in a new one.
  image_policy_update: { args: () => ({ body: { members_use_silo_images: true } }) },
  image_create: {
    'in a project': {
      args: () => ({ query: parents, body: imageBody(ids.snapshot) }),
      about: ['project', 'snapshot'],
    },
    'in the silo': {
      args: () => ({ body: imageBody(ids.snapshot) }),
      about: ['silo_image', 'snapshot'],
    },
  },
  image_delete: {
    'of a project': {
      args: async () => ({ params: { image: await newImage(ids.project) }, query: parents }),
      about: ['image'],
    },
    'of the silo': {
      args: async () => ({ params: { image: await newImage(null) } }),
      about: ['silo_image'],
    },
  },
  image_promote: {
    args: async () => ({ params: { image: await newImage(ids.project) }, query: parents }),
    hides: ['silo_image'],
  },
  image_demote: {
    args: async () => ({ params: { image: await newImage(null) }, query: parents }),
  },
  image_search: {
    'of a project': { args: () => ({ query: parents }), about: ['project'] },
    'of the silo': { args: () => ({}), about: ['silo_image'] },
  },
  image_deletion: {
    'of a project': {
      args: () => ({ params: { image: 'img' }, query: parents }),
      about: ['image'],
    },
    'of the silo': { args: () => ({ params: { image: 'debian-13' } }), about: ['silo_image'] },
  },
} satisfies Partial<Probes>
