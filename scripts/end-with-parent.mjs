/**
 * Loaded with --import into the server of npm start: ends this process when its parent has ended, even by kill -9.
 * That closes the IPC channel between the two, which is used for nothing else.
 */
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
