export { type EngineOptions, type Engines, files, openEngines } from './open.js';
