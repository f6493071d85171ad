#!/bin/sh
# fiord-mpirun: starts mpirun of Open MPI with settings by which it notices within 15 s that a host has lost its network. By default it
# takes eight minutes. The arguments are those of mpirun. Settings that the environment already has stay.
: "${OMPI_MCA_oob_tcp_keepalive_time=5}" "${OMPI_MCA_oob_tcp_keepalive_intvl=2}" "${OMPI_MCA_oob_tcp_keepalive_probes=5}"
export OMPI_MCA_oob_tcp_keepalive_time OMPI_MCA_oob_tcp_keepalive_intvl OMPI_MCA_oob_tcp_keepalive_probes
# Open MPI 5
: "${PRTE_MCA_oob_tcp_keepalive_time=5}" "${PRTE_MCA_oob_tcp_keepalive_intvl=2}" "${PRTE_MCA_oob_tcp_keepalive_probes=5}"
export PRTE_MCA_oob_tcp_keepalive_time PRTE_MCA_oob_tcp_keepalive_intvl PRTE_MCA_oob_tcp_keepalive_probes
exec "${FIORD_MPIRUN:-mpirun}" "$@"
