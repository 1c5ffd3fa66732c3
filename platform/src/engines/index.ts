export { type EngineOptions, type Engines, files, NoSuchEngine, openEngines } from './open.js';
