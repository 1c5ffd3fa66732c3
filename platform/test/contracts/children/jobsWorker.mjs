// Works on the queue `mail` and prints the id of each job. The job `hang` never ends. The process exits after a
// job of the queue `end`.
import { openJobs } from './openJobs.mjs';

const jobs = await openJobs(process.argv[2]);
jobs.work('mail', async ({ id }) => {
  console.log(id);
  if (id === 'hang') await new Promise(() => {});
});
const alive = setInterval(() => {}, 60_000);
const told = new Promise((resolve) => {
  jobs.work('end', async () => {
    resolve();
    // Keeps this job for a moment, so that the other process gets the other `end` job.
    await new Promise((done) => setImmediate(done));
  });
});
console.log('ready');
await told;
clearInterval(alive);
await jobs.close();
