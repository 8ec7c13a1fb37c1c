import { identity, identityCreate, identityUpdate, record, resultsPage } from '../../schema.ts'

export const Project = record('Project', identity)
export const ProjectResultsPage = resultsPage('Project', Project)
export const ProjectCreate = record('ProjectCreate', identityCreate)
export const ProjectUpdate = record('ProjectUpdate', identityUpdate)
